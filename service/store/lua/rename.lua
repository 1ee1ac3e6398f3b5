-- Gives a player another name, if the player is still there.
--
-- KEYS  1 player   ARGV  1 the name
-- Gives whether there is such a player.
if redis.call('HEXISTS', KEYS[1], 'token') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'name', ARGV[1])
return 1
