-- Counts calls within a window that begins with the first of them, and says how many there were and when it ends.
--
-- KEYS  1 counter   ARGV  1 length of the window in milliseconds   2 how many calls to add, 0 to look only
-- Gives the calls so far and the milliseconds left. A look writes nothing: it works while Redis cannot write.
if ARGV[2] == '0' then
  local remaining = redis.call('PTTL', KEYS[1])
  if remaining > tonumber(ARGV[1]) then return {0, 0} end -- the clock was set back
  return {tonumber(redis.call('GET', KEYS[1]) or 0), math.max(remaining, 0)}
end
local calls = redis.call('INCRBY', KEYS[1], ARGV[2])
local left = redis.call('PTTL', KEYS[1])
if left > tonumber(ARGV[1]) then -- the clock was set back
  redis.call('SET', KEYS[1], ARGV[2])
  calls, left = tonumber(ARGV[2]), -1
end
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return {calls, left}
