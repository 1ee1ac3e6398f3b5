-- Notes that the game of a pairing is open: its queue tickets say so, and the pairing is done.
--
-- KEYS  1 the pairings of the edition  2 the ticket of each player   then the tickets
-- ARGV  1 game  2 seconds to keep a ticket   then for each ticket its id and the channel on which it is published
-- Gives whether nobody has noted it before.
for i = 3, #KEYS do
  local state, game, player = unpack(redis.call('HMGET', KEYS[i], 'state', 'game', 'player'))
  if state == 'taken' and game == ARGV[1] then
    redis.call('HSET', KEYS[i], 'state', 'matched')
    redis.call('EXPIRE', KEYS[i], ARGV[2])
    if redis.call('HGET', KEYS[2], player) == ARGV[2 * i - 3] then redis.call('HDEL', KEYS[2], player) end
    redis.call('PUBLISH', ARGV[2 * i - 2], '')
  end
end
return redis.call('HDEL', KEYS[1], ARGV[1])
