-- Stores a match, unless there is one with this id.
--
-- KEYS  1 the match   ARGV  1 what it is   then pairs of another field and its value
-- Gives what the stored match is.
if redis.call('HSETNX', KEYS[1], 'setup', ARGV[1]) == 1 then
  redis.call('HSET', KEYS[1], unpack(ARGV, 2))
end
return redis.call('HGET', KEYS[1], 'setup')
