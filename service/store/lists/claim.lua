-- Takes the games that are due, so that of several sweepers one looks at each; they come due again at the lease's end.
--
-- KEYS  1 due   ARGV  1 now   2 end of the lease   3 how many at most
-- Gives the games, each followed by the score it had.
local games = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[3])
for i = 1, #games, 2 do
  redis.call('ZREM', KEYS[1], games[i]) -- first: a Redis whose memory is full lets a script write that has made room
  redis.call('ZADD', KEYS[1], ARGV[2], games[i])
end
return games
