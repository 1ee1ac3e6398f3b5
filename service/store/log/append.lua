-- Appends the events of one action to a game's log, all or none, in one step.
--
-- KEYS  1 log  2 meta  3 answer  4 calls of the same player that changed nothing (for both the log's own key again when
--       the call has no idempotency key)
--       5 the caller  6 what the idempotency key was used for (only when the caller has not been read before)
-- ARGV  1 the head the caller has seen ('' for a game that must not exist yet)
--       2 the answer to keep ('' when the call has no idempotency key)   3 seconds to keep it
--       4 version of the first entry   5 number of entries
--       6 what is published to those who follow the game: 'events' or, where each node hears everything, 'version'
--       7 the call, as it stands in the list of those that changed nothing
--       8 the hash of the caller's token, when the caller has not been read before (else '')   9 the key's fingerprint
--       then the entries, then pairs for the meta hash
-- Gives 'appended'; or 'answered' and the stored answer, when a call with this key was carried out before;
-- or 'moved' and the present head, when the log is not what the caller has seen or the call has just been found to
-- change nothing; or 'read' when the caller must be read first.
if ARGV[8] ~= '' then
  if redis.call('HGET', KEYS[5], 'token') ~= ARGV[8] then return {'read'} end
  if ARGV[9] ~= '' and (redis.call('GET', KEYS[6]) or ARGV[9]) ~= ARGV[9] then return {'read'} end
end
if ARGV[2] ~= '' then
  local kept = redis.call('GET', KEYS[3])
  if kept then return {'answered', kept} end
end
local head = redis.call('HGET', KEYS[2], 'head') or ''
if head ~= ARGV[1] then return {'moved', head} end
if ARGV[2] ~= '' and redis.call('LPOS', KEYS[4], ARGV[7]) then return {'moved', head} end
local version, count = tonumber(ARGV[4]), tonumber(ARGV[5])
for i = 1, count do
  redis.call('XADD', KEYS[1], string.format('%d-0', version + i - 1), 'e', ARGV[9 + i])
end
redis.call('HSET', KEYS[2], unpack(ARGV, 10 + count))
if ARGV[2] ~= '' then redis.call('SET', KEYS[3], ARGV[2], 'EX', ARGV[3]) end
local announced = version + count - 1
if ARGV[6] == 'events' then announced = ARGV[4] .. '\n' .. table.concat(ARGV, '\n', 10, 9 + count) end
redis.call('PUBLISH', string.sub(KEYS[1], 1, -4) .. 'feed', announced)
return {'appended'}
