-- Notes up to which version the players of a game are notified; never back, for a slower process may come later, and
-- nothing of a game that has been removed.
--
-- KEYS  1 meta   ARGV  1 the version
if redis.call('HEXISTS', KEYS[1], 'head') == 1 and tonumber(redis.call('HGET', KEYS[1], 'told') or 0) < tonumber(ARGV[1]) then
  redis.call('HSET', KEYS[1], 'told', ARGV[1])
end
