-- Reads keys whole, all at one moment.
--
-- KEYS  those of one game or of one player
-- Gives for each: its type ('none' when it does not exist), the milliseconds it has left (-1: no end), and what it holds.
local reads = {
  string = function(key) return redis.call('GET', key) end,
  hash = function(key) return redis.call('HGETALL', key) end,
  zset = function(key) return redis.call('ZRANGE', key, 0, -1, 'WITHSCORES') end,
  list = function(key) return redis.call('LRANGE', key, 0, -1) end,
  stream = function(key) return redis.call('XRANGE', key, '-', '+') end,
}
local copied = {}
for i, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  copied[i] = {kind, redis.call('PTTL', key), reads[kind] and reads[kind](key) or ''}
end
return copied
