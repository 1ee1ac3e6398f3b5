-- Changes fields of a player, if the token that was shown still is the player's.
--
-- KEYS  1 player   ARGV  1 the hash of the token   then pairs of a field and its value
-- Gives whether there is such a player.
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
if #ARGV > 1 then redis.call('HSET', KEYS[1], unpack(ARGV, 2)) end
return 1
