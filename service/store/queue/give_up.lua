-- Removes a pairing whose game cannot be opened: its queue tickets wait again, as long as somebody asks for them.
--
-- KEYS  1 the pairings of the edition  2 those who wait for it, by when they last asked   then the tickets
-- ARGV  1 game  2 when its players were matched, which counts as when they last asked   then the tickets' ids
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return end
for i = 3, #KEYS do
  local state, game = unpack(redis.call('HMGET', KEYS[i], 'state', 'game'))
  if state == 'taken' and game == ARGV[1] then
    redis.call('HSET', KEYS[i], 'state', 'waiting')
    redis.call('HDEL', KEYS[i], 'game')
    redis.call('ZADD', KEYS[2], ARGV[2], ARGV[i])
  end
end
