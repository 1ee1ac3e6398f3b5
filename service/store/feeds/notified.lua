-- Notes up to which version the players of games are notified; never back, for a slower process may come later, and
-- nothing of a game that has been removed or whose hash is damaged.
--
-- KEYS  the meta hash of each game   ARGV  the version of each
for i, meta in ipairs(KEYS) do
  local known = redis.pcall('HMGET', meta, 'head', 'told')
  if known[1] and (tonumber(known[2] or 0) or 0) < tonumber(ARGV[i]) then
    redis.call('HSET', meta, 'told', ARGV[i])
  end
end
