-- Takes a game out of a pool, and has the fold go back to where nothing of it counts.
--
-- KEYS  1 order   2 inputs   3 state   4 outcomes   5 latest   6 table   then for each rated player: their games
-- ARGV  1 game   then each of these players
-- Gives whether it was there.
-- The players come back into `latest` and the table with the fold, which begins with an earlier game of each.
local back = redis.call('ZRANK', KEYS[1], ARGV[1])
if not back then return 0 end
for i = 7, #KEYS do
  local place = redis.call('ZRANK', KEYS[i], ARGV[1])
  if place and place > 0 then
    local before = redis.call('ZRANGE', KEYS[i], place - 1, place - 1)[1]
    back = math.min(back, redis.call('ZRANK', KEYS[1], before) or back)
  end
  redis.call('ZREM', KEYS[i], ARGV[1])
  redis.call('HDEL', KEYS[5], ARGV[i - 5])
  redis.call('ZREM', KEYS[6], ARGV[i - 5])
end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[4], ARGV[1])
if back < tonumber(redis.call('HGET', KEYS[3], 'folded') or 0) then redis.call('HSET', KEYS[3], 'folded', back) end
redis.call('HINCRBY', KEYS[3], 'epoch', 1)
return 1
