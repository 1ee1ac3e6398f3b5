-- Removes an ended game, if it is the one that was seen; nothing can be appended to it.
--
-- KEYS  1 log  2 meta  3 what stays of a packed or archived log  4 packed log  5 review   ARGV  1 the head that was seen
-- Gives the digest of the archived log, "" without one; or nothing where the game is another one, or gone, or goes on.
local head, status = unpack(redis.call('HMGET', KEYS[2], 'head', 'status'))
if head ~= ARGV[1] or (status ~= 'finished' and status ~= 'aborted') then return false end
local digest = redis.call('HGET', KEYS[2], 'archive') or ''
redis.call('UNLINK', unpack(KEYS))
return digest
