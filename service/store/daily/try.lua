-- Notes that a player tries the deal of a day, unless the day is over.
--
-- KEYS  1 the day   2 its tries   ARGV  1 the player   2 what stands for a try that runs
-- Gives whether the day is not over, so that the try may begin.
if redis.call('HEXISTS', KEYS[1], 'closed') == 1 then return 0 end
redis.call('ZADD', KEYS[2], 'NX', ARGV[2], ARGV[1])
return 1
