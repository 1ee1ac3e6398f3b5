-- Takes the queue tickets of a pairing, if all of them still wait, and notes that its game is to be opened.
--
-- KEYS  1 those who wait for the edition  2 the pairings of the edition  3 who was matched with whom, by when
--       then the tickets
-- ARGV  1 game  2 the pairing  3 now  4 until when earlier meetings no longer count  5 the number of pairs, then the pairs
--       then the ids of the tickets
-- Gives whether they were taken.
for i = 4, #KEYS do
  if redis.call('HGET', KEYS[i], 'state') ~= 'waiting' then return 0 end
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
for i = 4, #KEYS do
  redis.call('HSET', KEYS[i], 'state', 'taken', 'game', ARGV[1])
  redis.call('ZREM', KEYS[1], ARGV[5 + ARGV[5] + i - 3])
end
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', ARGV[4])
for i = 6, 5 + ARGV[5] do redis.call('ZADD', KEYS[3], ARGV[3], ARGV[i]) end
return 1
