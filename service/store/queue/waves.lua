-- Takes the editions whose next wave is due; they come due again at the lease's end. One for which nobody waits goes.
--
-- KEYS  1 the editions, by when their next wave is
-- ARGV  1 now  2 end of the lease  3 what the names of those who wait for an edition begin with  4 the same of pairings
-- Gives the editions. One that is due long after the lease is due: a clock was set back.
local due = {}
local found = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
for i = 1, #found, 2 do
  local edition, at = found[i], tonumber(found[i + 1])
  if at <= tonumber(ARGV[1]) or at > tonumber(ARGV[2]) + 10000 then
    if redis.call('EXISTS', ARGV[3] .. edition, ARGV[4] .. edition) == 0 then
      redis.call('ZREM', KEYS[1], edition)
    else
      redis.call('ZADD', KEYS[1], ARGV[2], edition)
      due[#due + 1] = edition
    end
  end
end
return due
