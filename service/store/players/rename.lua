-- Gives a player another name, if the token that was shown still is the player's.
--
-- KEYS  1 player   ARGV  1 the name  2 the hash of the token
-- Gives whether there is such a player.
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'name', ARGV[1])
return 1
