-- Sets when sweepers look at games again, for those that nobody has moved since they were claimed.
--
-- KEYS  1 due   ARGV  1 the score they were claimed with   then pairs of game and new score ('' to take it off)
for i = 2, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[i]) == ARGV[1] then
    if ARGV[i + 1] == '' then
      redis.call('ZREM', KEYS[1], ARGV[i])
    else
      redis.call('ZADD', KEYS[1], ARGV[i + 1], ARGV[i])
    end
  end
end
