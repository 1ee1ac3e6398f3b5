-- Takes the next game: of the address whose turn it is, the player whose turn it is, and of their games the first.
--
-- KEYS  pairs of the addresses that have lines, by turn, and where each game waits; the most urgent first
-- ARGV  what the names of the lines of each pair begin with
-- Gives the game, its address and its player, or nothing if none waits. Whoever has more in line comes after all others then.
local function again(key, member, waiting, last)
  if redis.call('EXISTS', waiting) == 1 then redis.call('ZADD', key, (last or 0) + 1, member) end
end

for i = 1, #KEYS, 2 do
  local turns, prefix = KEYS[i], ARGV[(i + 1) / 2]
  while redis.call('EXISTS', turns) == 1 do
    local last = redis.call('ZREVRANGE', turns, 0, 0, 'WITHSCORES')[2]
    local address = redis.call('ZPOPMIN', turns)[1]
    local players = prefix .. 'players:' .. address
    local last_player = redis.call('ZREVRANGE', players, 0, 0, 'WITHSCORES')[2]
    local player = redis.call('ZPOPMIN', players)[1]
    local game
    if player then
      local line = prefix .. 'line:' .. address .. ':' .. player
      game = redis.call('ZPOPMIN', line)[1]
      again(players, player, line, last_player)
    end
    again(turns, address, players, last)
    if game then
      redis.call('HDEL', KEYS[i + 1], game)
      return {game, address, player}
    end
  end
end
