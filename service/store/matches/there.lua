-- Notes that games of a match are there, unless what came of them is noted already.
--
-- KEYS  1 the match   ARGV  1 what is noted   then the fields of the games
for i = 2, #ARGV do
  if redis.call('HGET', KEYS[1], ARGV[i]) == '' then redis.call('HSET', KEYS[1], ARGV[i], ARGV[1]) end
end
return 1
