-- Stops the wait of a queue ticket, if it still waits and was not asked for after a time.
--
-- KEYS  1 ticket  2 the ticket of each player  3 those who wait for the edition, by when they last asked
-- ARGV  1 its id  2 what becomes of it  3 the time, in milliseconds since 1970, or '' for any
--       4 the channel on which it is published
-- Gives whether it was stopped.
local state, player = unpack(redis.call('HMGET', KEYS[1], 'state', 'player'))
local asked = redis.call('ZSCORE', KEYS[3], ARGV[1])
if not state then redis.call('ZREM', KEYS[3], ARGV[1]) end -- a memory that was full has lost the ticket
if state ~= 'waiting' then return 0 end
if ARGV[3] ~= '' and asked and tonumber(asked) > tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], 'state', ARGV[2])
redis.call('ZREM', KEYS[3], ARGV[1])
if redis.call('HGET', KEYS[2], player) == ARGV[1] then redis.call('HDEL', KEYS[2], player) end
redis.call('PUBLISH', ARGV[4], '')
return 1
