-- Reads what a game's state is folded from: the meta hash, the entries that say what the table is, and everything from
-- the newest round on. So the cost does not grow with the length of the game. Last comes how long the log is.
--
-- KEYS  1 log  2 meta
local meta = redis.call('HGETALL', KEYS[2])
local started = redis.call('HGET', KEYS[2], 'started')
local length = redis.call('XLEN', KEYS[1])
if not started then return {meta, {}, redis.call('XRANGE', KEYS[1], '-', '+'), length} end
local created = redis.call('XRANGE', KEYS[1], '1-0', '1-0')
local begun = redis.call('XRANGE', KEYS[1], started .. '-0', started .. '-0')
local round = redis.call('HGET', KEYS[2], 'round')
return {meta, {created[1], begun[1]}, redis.call('XRANGE', KEYS[1], round .. '-0', '+'), length}
