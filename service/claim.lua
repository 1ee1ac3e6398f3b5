-- Takes the games that are due, so that of several sweepers one looks at each; they come due again at the lease's end.
--
-- KEYS  1 due   ARGV  1 now   2 end of the lease   3 how many at most
local games = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, game in ipairs(games) do redis.call('ZADD', KEYS[1], ARGV[2], game) end
return games
