-- Notifies players of what has happened in games, each notice once and in order, in one step.
--
-- KEYS  for each player: 1 player  2 notices  3 the version of the game up to which the player is notified
--       4 whether anybody reads  5 approaches  6 whom the player has blocked
-- ARGV  1 how many notices are kept at least  2 how many approaches  3 seconds to keep them
--       4 seconds to remember the version
--       then for each player: the channel on which it is published that there are new ones, the number of notices, and
--       triples of a version, for an approach the player who makes it or else '', and the notice, in order
-- An approach by somebody who is blocked is passed over, and a player who has been removed stays so.
-- A notice that nobody reads is counted and not kept: a reader who comes back sees by the count that there were some.
-- Each that is kept names the last before it that must not be missed: a reader sees by it whether one is gone.
-- A player whose data is damaged keeps nobody else from being notified; the error comes last.
local function notify(k, at)
  local name, cursor, last = unpack(redis.call('HMGET', KEYS[k], 'name', 'notices', 'last_notice'))
  if not name then return end
  local notified, kept = unpack(redis.call('MGET', KEYS[k + 2], KEYS[k + 3]))
  notified = tonumber(notified or 0)
  cursor = tonumber(cursor or 0)
  local known, newest = cursor, nil
  for i = at + 2, at + 1 + 3 * ARGV[at + 1], 3 do
    newest = tonumber(ARGV[i])
    local approach = ARGV[i + 1] ~= ''
    if newest > notified and not (approach and redis.call('ZSCORE', KEYS[k + 5], ARGV[i + 1])) then
      cursor = cursor + 1
      local before = last or cursor - 1
      if kept then
        local id = string.format('%d-0', cursor)
        if approach then
          redis.call('XADD', KEYS[k + 4], 'MAXLEN', '~', ARGV[2], id, 'n', ARGV[i + 2], 'last', before)
        else
          redis.call('XADD', KEYS[k + 1], 'MAXLEN', '~', ARGV[1], id, 'n', ARGV[i + 2], 'last', before)
        end
      end
      last = (approach and kept) and before or cursor
    end
  end
  if cursor > known then
    redis.call('HSET', KEYS[k], 'notices', cursor, 'last_notice', last)
    redis.call('SET', KEYS[k + 2], newest, 'EX', ARGV[4])
    if kept then
      redis.call('EXPIRE', KEYS[k + 1], ARGV[3])
      redis.call('EXPIRE', KEYS[k + 4], ARGV[3])
      redis.call('PUBLISH', ARGV[at], cursor)
    end
  end
end

local at, failure = 5, nil
for k = 1, #KEYS, 6 do
  local done, why = pcall(notify, k, at)
  if not done then failure = failure or why end
  at = at + 2 + 3 * ARGV[at + 1]
end
if failure then return redis.error_reply(failure.err or failure) end
