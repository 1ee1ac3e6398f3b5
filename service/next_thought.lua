-- Takes the first game of the line whose turn it is; whoever has more in line comes after all others then.
--
-- KEYS  who has a line, by turn; the most urgent first   ARGV  what the names of the lines of each begin with
-- Gives game and version, or nothing if none waits.
for i, turns in ipairs(KEYS) do
  local last = redis.call('ZREVRANGE', turns, 0, 0, 'WITHSCORES')[2]
  local whose = redis.call('ZPOPMIN', turns)[1]
  while whose do
    local line = ARGV[i] .. whose
    local game = redis.call('LPOP', line)
    if redis.call('EXISTS', line) == 1 then redis.call('ZADD', turns, last + 1, whose) end
    if game then return game end
    whose = redis.call('ZPOPMIN', turns)[1]
  end
end
