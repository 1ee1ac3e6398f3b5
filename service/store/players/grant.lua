-- Gives a player a token, unless the player has another than the caller has shown; a new player has none.
--
-- KEYS  1 player  2 grant (the player's own key again when the call has no idempotency key)
-- ARGV  1 the hash of the token that was shown ('' for a player that must not exist yet)
--       2 the grant to keep ('' when the call has no idempotency key)   3 seconds to keep it
--       4 the channel on which it is published that a token was replaced   5 what is published
--       then pairs for the player's hash
-- Gives 'given'; or 'granted', the kept grant and the hash of the present token, when a call with this key was carried
-- out before; or 'refused'.
if ARGV[2] ~= '' then
  local kept = redis.call('GET', KEYS[2])
  if kept then return {'granted', kept, redis.call('HGET', KEYS[1], 'token') or ''} end
end
if (redis.call('HGET', KEYS[1], 'token') or '') ~= ARGV[1] then return {'refused'} end
redis.call('HSET', KEYS[1], unpack(ARGV, 6))
-- A player who was about to be removed and has registered again stays.
if ARGV[1] == '' then redis.call('HDEL', KEYS[1], 'retired_token', 'retired_at') end
if ARGV[2] ~= '' then redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3]) end
if ARGV[1] ~= '' then redis.call('PUBLISH', ARGV[4], ARGV[5]) end
return {'given'}
