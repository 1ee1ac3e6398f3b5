-- Takes the games that are due, so that of several sweepers one looks at each; they come due again at the lease's end.
-- Half of them have come due last, the others first: after an outage, neither keeps the others waiting.
--
-- KEYS  1 due   ARGV  1 now   2 end of the lease   3 how many at most
-- Gives the games, each followed by the score it had.
local function take(found)
  for i = 1, #found, 2 do
    redis.call('ZREM', KEYS[1], found[i]) -- first: a Redis whose memory is full lets a script write that has made room
    redis.call('ZADD', KEYS[1], ARGV[2], found[i])
  end
  return found
end

local half = math.floor(ARGV[3] / 2)
local games = take(redis.call('ZREVRANGEBYSCORE', KEYS[1], ARGV[1], '-inf', 'WITHSCORES', 'LIMIT', 0, half))
local first = take(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[3] - half))
for i = 1, #first do games[#games + 1] = first[i] end
return games
