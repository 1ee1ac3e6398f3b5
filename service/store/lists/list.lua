-- Notes how a public game is listed, each state once and in order, and tells those who follow the lobby.
--
-- KEYS  1 the listed games and the number of changes  2 the changes  3 the mark that the game has left the lobby
--       4 the games with a change that may not have been noted
-- ARGV  1 game  2 version  3 its entry, '' for the one that is there  4 whether it leaves the lobby: '1' or ''
--       5 how many changes are kept at least  6 seconds to keep the mark  7 the channel  8 milliseconds since 1970
-- What comes late, after a newer version or after the end, is passed over.
local doubted = redis.call('ZSCORE', KEYS[4], ARGV[1])
if doubted and tonumber(doubted) <= tonumber(ARGV[2]) then redis.call('ZREM', KEYS[4], ARGV[1]) end
local known = redis.call('HGET', KEYS[1], ARGV[1])
if redis.call('EXISTS', KEYS[3]) == 1 then return end
if known and tonumber(string.match(known, '^%d+')) >= tonumber(ARGV[2]) then return end
local kind, entry = known and 'changed' or 'opened', ARGV[3]
if ARGV[4] == '1' then
  redis.call('SET', KEYS[3], '', 'EX', ARGV[6])
  if not known then return end
  kind = 'gone'
  if entry == '' then entry = string.match(known, '^%d+ (.*)$') end
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. entry)
end
-- After a loss the numbers begin where no follower has been yet.
if redis.call('HSETNX', KEYS[1], 'changes', ARGV[8]) == 1 then redis.call('DEL', KEYS[2]) end
local number = redis.call('HINCRBY', KEYS[1], 'changes', 1)
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[5], string.format('%d-0', number), 'type', kind, 'game', entry)
redis.call('PUBLISH', ARGV[7], number)
