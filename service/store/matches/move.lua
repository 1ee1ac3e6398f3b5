-- Brings a match into another state, if it is in one from which it may come.
--
-- KEYS  1 the match   ARGV  1 the state   then those from which it may come
-- Gives whether it has come there now.
local state = redis.call('HGET', KEYS[1], 'state')
for i = 2, #ARGV do
  if state == ARGV[i] then
    redis.call('HSET', KEYS[1], 'state', ARGV[1])
    return 1
  end
end
return 0
