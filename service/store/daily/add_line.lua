-- Keeps the line of a player who has tried the deal of a day, unless the work on the day is done.
--
-- KEYS  1 the tries   2 the lines   ARGV  1 the player   2 the line
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) end
