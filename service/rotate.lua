-- Replaces a player's token, unless it has been replaced since the caller showed it.
--
-- KEYS  1 player   ARGV  1 the hash of the token shown   2 that of the new one
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'token', ARGV[2])
return 1
