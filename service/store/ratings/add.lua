-- Adds a game to a pool, in the order in which games end. If later games have been folded, they will be again.
--
-- KEYS  1 order   2 inputs   3 state   then for each rated player: their games in the pool
-- ARGV  1 game   2 when it ended, in milliseconds since 1970   3 what it says
-- Gives 0 if it is there already, 1 if it is now, 2 if another account of it is there.
local known = redis.call('HGET', KEYS[2], ARGV[1])
if known then return known == ARGV[3] and 0 or 2 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
for i = 4, #KEYS do redis.call('ZADD', KEYS[i], ARGV[2], ARGV[1]) end
local rank = redis.call('ZRANK', KEYS[1], ARGV[1])
if rank < tonumber(redis.call('HGET', KEYS[3], 'folded') or 0) then
  redis.call('HSET', KEYS[3], 'folded', rank)
  redis.call('HINCRBY', KEYS[3], 'epoch', 1)
end
return 1
