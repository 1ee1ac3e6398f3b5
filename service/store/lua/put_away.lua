-- Puts what stays of an archived game in the place of its log, in one step, if the log is the one that was archived.
--
-- KEYS  1 log  2 meta  3 what stays
-- ARGV  1 the head that was archived   2 how many events that is   3 the digest by which the archive has it
--       4 what stays   then the fields of the hash that nobody needs any more
-- Gives 1, or 0 where the log is another one, or gone, or the game goes on.
local status = redis.call('HGET', KEYS[2], 'status')
if status ~= 'finished' and status ~= 'aborted' then return 0 end
if redis.call('HGET', KEYS[2], 'head') ~= ARGV[1] then return 0 end
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[2]) then return 0 end
redis.call('UNLINK', KEYS[1]) -- first: a Redis whose memory is full lets a script write that has made room
redis.call('SET', KEYS[3], ARGV[4])
redis.call('HSET', KEYS[2], 'archive', ARGV[3])
redis.call('HDEL', KEYS[2], unpack(ARGV, 5))
return 1
