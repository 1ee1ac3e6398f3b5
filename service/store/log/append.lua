-- Appends the events of one action to a game's log, all or none, in one step.
--
-- KEYS  1 log  2 meta
--       3 the caller (the log's own key again when the caller has been read before)
--       then, for a call with an idempotency key: 4 answer  5 calls of the same player that changed nothing
--       6 what the key was used for (the log's own key again as above)
-- ARGV  1 the head the caller has seen ('' for a game that must not exist yet)
--       2 version of the first entry   3 number of entries
--       4 what is published to those who follow the game: 'events' or, where each node hears everything, 'version'
--       5 the hash of the caller's token, when the caller has not been read before (else '')
--       6 the channel on which it is published
--       then, for a call with an idempotency key: 7 the answer to keep  8 seconds to keep it
--       9 the call, as it stands in the list of those that changed nothing  10 the key's fingerprint
--       then the entries, then the checksum of each, then pairs for the meta hash
-- Gives 'appended'; or 'answered' and the stored answer, when a call with this key was carried out before;
-- or 'moved' and the present head, when the log is not what the caller has seen or the call has just been found to
-- change nothing; or 'read' when the caller must be read first; or 'damaged' when the log is not as long as its head says.
local keyed = KEYS[4] ~= nil
if ARGV[5] ~= '' then
  if redis.call('HGET', KEYS[3], 'token') ~= ARGV[5] then return {'read'} end
  if keyed and (redis.call('GET', KEYS[6]) or ARGV[10]) ~= ARGV[10] then return {'read'} end
end
if keyed then
  local kept = redis.call('GET', KEYS[4])
  if kept then return {'answered', kept} end
end
local head = redis.call('HGET', KEYS[2], 'head') or ''
if head ~= ARGV[1] then return {'moved', head} end
if keyed and redis.call('LPOS', KEYS[5], ARGV[9]) then return {'moved', head} end
local version, count = tonumber(ARGV[2]), tonumber(ARGV[3])
if redis.call('XLEN', KEYS[1]) ~= version - 1 then return {'damaged'} end
local first = keyed and 11 or 7
for i = 0, count - 1 do
  redis.call('XADD', KEYS[1], string.format('%d-0', version + i), 'e', ARGV[first + i], 'c', ARGV[first + count + i])
end
redis.call('HSET', KEYS[2], unpack(ARGV, first + 2 * count))
if keyed then redis.call('SET', KEYS[4], ARGV[7], 'EX', ARGV[8]) end
local announced = version + count - 1
if ARGV[4] == 'events' then announced = ARGV[2] .. '\n' .. table.concat(ARGV, '\n', first, first + count - 1) end
redis.call('PUBLISH', ARGV[6], announced)
return {'appended'}
