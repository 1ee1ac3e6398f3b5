-- Puts something smaller in the place of an ended game's log, in one step, if the log is the one that was read: the log
-- packed, or what stays in Redis of an archived game.
--
-- KEYS  1 log  2 meta  3 what lists and views need  4 packed log
-- ARGV  1 the head that was read   2 how many events that is   3 what lists and views need
--       4 the digest by which the archive has it ('' to pack it)   5 the packed log ('' if it is archived)
--       6 the checksum of what lists and views need   7 that of the packed log
--       then the fields of the hash that mean nothing once the game has ended
-- Gives 1, or 0 where the log is another one, or packed or gone already, or the game goes on.
local status = redis.call('HGET', KEYS[2], 'status')
if status ~= 'finished' and status ~= 'aborted' then return 0 end
if redis.call('HGET', KEYS[2], 'head') ~= ARGV[1] then return 0 end
local archives = ARGV[4] ~= ''
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[2]) and not (archives and redis.call('EXISTS', KEYS[4]) == 1) then
  return 0
end
redis.call('UNLINK', KEYS[1], KEYS[4]) -- first: a Redis whose memory is full lets a script write that has made room
redis.call('SET', KEYS[3], ARGV[3])
redis.call('HDEL', KEYS[2], 'packed', unpack(ARGV, 8))
redis.call('HSET', KEYS[2], 'summary', ARGV[6])
if archives then
  redis.call('HSET', KEYS[2], 'archive', ARGV[4])
else
  redis.call('SET', KEYS[4], ARGV[5])
  redis.call('HSET', KEYS[2], 'packed', ARGV[7])
end
return 1
