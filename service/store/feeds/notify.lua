-- Notifies a player of what has happened in a game, each notice once and in order, in one step.
--
-- KEYS  1 player  2 notices  3 the version of the game up to which the player is notified  4 whether anybody reads
--       5 approaches  6 whom the player has blocked
-- ARGV  1 how many notices are kept at least  2 how many approaches  3 seconds to keep them
--       4 seconds to remember the version  5 the channel on which it is published that there are new ones
--       then triples of a version, for an approach the player who makes it or else '', and the notice, in order
-- An approach by somebody who is blocked is passed over, and a player who has been removed stays so.
-- A notice that nobody reads is counted and not kept: a reader who comes back sees by the count that there were some.
-- Each that is kept names the last before it that must not be missed: a reader sees by it whether one is gone.
if redis.call('EXISTS', KEYS[1]) == 0 then return end
local notified = tonumber(redis.call('GET', KEYS[3]) or 0)
local kept = redis.call('EXISTS', KEYS[4]) == 1
local cursor, newest
for i = 6, #ARGV, 3 do
  newest = tonumber(ARGV[i])
  local approach = ARGV[i + 1] ~= ''
  if newest > notified and not (approach and redis.call('ZSCORE', KEYS[6], ARGV[i + 1])) then
    cursor = redis.call('HINCRBY', KEYS[1], 'notices', 1)
    local last = redis.call('HGET', KEYS[1], 'last_notice') or cursor - 1
    if kept then
      local id = string.format('%d-0', cursor)
      if approach then
        redis.call('XADD', KEYS[5], 'MAXLEN', '~', ARGV[2], id, 'n', ARGV[i + 2], 'last', last)
      else
        redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[1], id, 'n', ARGV[i + 2], 'last', last)
      end
    end
    redis.call('HSET', KEYS[1], 'last_notice', (approach and kept) and last or cursor)
  end
end
if cursor then
  redis.call('SET', KEYS[3], newest, 'EX', ARGV[4])
  if kept then
    redis.call('EXPIRE', KEYS[2], ARGV[3])
    redis.call('EXPIRE', KEYS[5], ARGV[3])
    redis.call('PUBLISH', ARGV[5], cursor)
  end
end
