-- Notes up to which version the players of a game have been told; never back, for a slower process may come later.
--
-- KEYS  1 meta   ARGV  1 the version
if tonumber(redis.call('HGET', KEYS[1], 'told') or 0) < tonumber(ARGV[1]) then
  redis.call('HSET', KEYS[1], 'told', ARGV[1])
end
