-- Notes how a public game is listed, each state once and in order, and tells those who follow the lobby.
--
-- KEYS  1 the listed games and the number of changes  2 the changes  3 the mark that the game has left the lobby
--       4 the games with a change that may not have been noted  5 the hosts of open tables
-- ARGV  1 game  2 version  3 its entry, '' for the one that is there  4 whether it leaves the lobby: '1' or ''
--       5 how many changes are kept at least  6 seconds to keep the mark  7 the channel  8 milliseconds since 1970
--       9 the host of an open table, '0' first if they are gone and the table is not shown; '' for any other game
-- What comes late, after a newer version or after the end, is passed over.
local stale = redis.call('ZSCORE', KEYS[4], ARGV[1])
if stale and tonumber(stale) <= tonumber(ARGV[2]) then redis.call('ZREM', KEYS[4], ARGV[1]) end
local known = redis.call('HGET', KEYS[1], ARGV[1])
local host = known and redis.call('HGET', KEYS[5], ARGV[1]) or ''
if redis.call('EXISTS', KEYS[3]) == 1 then return end
if known then
  local version = tonumber(string.match(known, '^%d+'))
  if version > tonumber(ARGV[2]) or (version == tonumber(ARGV[2]) and host == ARGV[9]) then return end
end
local before, after = known and string.sub(host, 1, 1) ~= '0', string.sub(ARGV[9], 1, 1) ~= '0'
local entry = ARGV[3]
if ARGV[4] == '1' then
  redis.call('SET', KEYS[3], '', 'EX', ARGV[6])
  if not known then return end
  after = false
  if entry == '' then entry = string.match(known, '^%d+ (.*)$') end
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. entry)
end
if ARGV[4] == '1' or ARGV[9] == '' then
  redis.call('HDEL', KEYS[5], ARGV[1])
else
  redis.call('HSET', KEYS[5], ARGV[1], ARGV[9])
end
-- After a loss the numbers begin where no follower has been yet.
if redis.call('HSETNX', KEYS[1], 'changes', ARGV[8]) == 1 then redis.call('DEL', KEYS[2]) end
if not before and not after then return end
local kind = not before and 'opened' or after and 'changed' or 'gone'
local number = redis.call('HINCRBY', KEYS[1], 'changes', 1)
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[5], string.format('%d-0', number), 'type', kind, 'game', entry)
redis.call('PUBLISH', ARGV[7], number)
