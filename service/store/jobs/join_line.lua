-- Lets a game wait in line for its job, once however often it is asked for, with one job for each game that waits.
--
-- KEYS  1 the addresses that have lines, by turn   2 where each game waits   3 the queue   4 the job just enqueued there
-- ARGV  1 game   2 what the names of lines begin with   3 address   4 the job's id   5 what the names of jobs begin with
--       then for whom it is
-- A line belongs to a player at an address. A new game joins the shortest of the lines of those for whom it is; a game
-- that waits already keeps its place. Then its job is taken back, unless jobs have been lost and too few are left.
local function join(key, member)
  local last = redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')[2] or 0
  redis.call('ZADD', key, 'NX', last + 1, member)
end

local place = redis.call('HGET', KEYS[2], ARGV[1])
local address, player = ARGV[3], nil
if place then
  address, player = string.match(place, '^(%S+) (%S+)$')
else
  local shortest
  for i = 6, #ARGV do
    local length = redis.call('ZCARD', ARGV[2] .. 'line:' .. address .. ':' .. ARGV[i])
    if not shortest or length < shortest then player, shortest = ARGV[i], length end
  end
  redis.call('HSET', KEYS[2], ARGV[1], address .. ' ' .. player)
end
join(ARGV[2] .. 'line:' .. address .. ':' .. player, ARGV[1])
join(ARGV[2] .. 'players:' .. address, player)
join(KEYS[1], address)
if place then
  local first = redis.call('LINDEX', KEYS[3], 0)
  while first and redis.call('EXISTS', ARGV[5] .. first) == 0 do -- it has waited for so long that RQ has forgotten it
    redis.call('LPOP', KEYS[3])
    first = redis.call('LINDEX', KEYS[3], 0)
  end
  if redis.call('LLEN', KEYS[3]) > redis.call('HLEN', KEYS[2]) then
    redis.call('LREM', KEYS[3], -1, ARGV[4])
    redis.call('DEL', KEYS[4])
  end
end
