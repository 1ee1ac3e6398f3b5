-- Bans a player: the token is put aside, so that it works nowhere. Or puts it back.
--
-- KEYS  1 player   ARGV  1 1 to ban, 0 to lift the ban  2 what stands in the place of a banned player's token
--       3 the channel on which it is published that a token was replaced   4 what is published
--       5 what stands in the place of an erased player's token: nothing is left to ban then
-- Gives whether there is such a player.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local token, retired = unpack(redis.call('HMGET', KEYS[1], 'token', 'retired_token'))
token = token or retired or ''
if token == ARGV[5] then return 0 end
-- Calls that had read the token are still to be cleaned up after.
if ARGV[1] == '1' then redis.call('HSET', KEYS[1], 'settling', 1) end
if ARGV[1] == '1' and token ~= ARGV[2] then
  redis.call('HSET', KEYS[1], 'banned', token, 'token', ARGV[2])
  redis.call('HDEL', KEYS[1], 'retired_token', 'retired_at')
  redis.call('PUBLISH', ARGV[3], ARGV[4])
elseif ARGV[1] == '0' and token == ARGV[2] then
  redis.call('HSET', KEYS[1], 'token', redis.call('HGET', KEYS[1], 'banned'))
  redis.call('HDEL', KEYS[1], 'banned', 'retired_token', 'retired_at', 'settling')
end
return 1
