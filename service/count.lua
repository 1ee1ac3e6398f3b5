-- Counts calls within a window that begins with the first of them, and says how many there were and when it ends.
--
-- KEYS  1 counter   ARGV  1 length of the window in milliseconds   2 how many calls to add, 0 to look only
-- Gives the calls so far and the milliseconds left.
local calls = redis.call('INCRBY', KEYS[1], ARGV[2])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return {calls, left}
