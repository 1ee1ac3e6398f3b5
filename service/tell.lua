-- Tells a player what there is to be told of a game, each notice once and in order, in one step.
--
-- KEYS  1 player  2 notices  3 the version of the game up to which the player has been told  4 whether anybody reads
-- ARGV  1 how many notices are kept at least  2 seconds to keep them  3 seconds to remember the version
--       4 the channel on which it is published that there are new ones
--       then pairs of a version and the notice of it, in order
-- A notice that nobody reads is counted and not kept: whoever comes back later sees by the count that there were some.
local told = tonumber(redis.call('GET', KEYS[3]) or 0)
local kept = redis.call('EXISTS', KEYS[4]) == 1
local cursor, newest
for i = 5, #ARGV, 2 do
  newest = tonumber(ARGV[i])
  if newest > told then
    cursor = redis.call('HINCRBY', KEYS[1], 'notices', 1)
    if kept then
      redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[1], string.format('%d-0', cursor), 'n', ARGV[i + 1])
    end
  end
end
if cursor then
  redis.call('SET', KEYS[3], newest, 'EX', ARGV[3])
  if kept then
    redis.call('EXPIRE', KEYS[2], ARGV[2])
    redis.call('PUBLISH', ARGV[4], cursor)
  end
end
