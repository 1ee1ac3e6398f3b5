-- Writes what some games have made of ratings, if nobody has changed the pool up to there since it was read.
--
-- KEYS  1 order   2 state   3 outcomes   4 latest   5 table
-- ARGV  1 epoch   2 how many games were folded before   3 how many are now   then pairs of a game and its outcome
--       then for each player three: the player, the latest outcome, and the place in the table ('' for none)
-- Gives whether it was written.
local epoch, folded = unpack(redis.call('HMGET', KEYS[2], 'epoch', 'folded'))
if (epoch or '0') ~= ARGV[1] or (folded or '0') ~= ARGV[2] then return 0 end
local count = ARGV[3] - ARGV[2]
local games = redis.call('ZRANGE', KEYS[1], ARGV[2], ARGV[3] - 1)
if #games ~= count then return 0 end
for i = 1, count do
  if games[i] ~= ARGV[2 + 2 * i] then return 0 end
end
for i = 1, count do redis.call('HSET', KEYS[3], ARGV[2 + 2 * i], ARGV[3 + 2 * i]) end
for i = 4 + 2 * count, #ARGV, 3 do
  redis.call('HSET', KEYS[4], ARGV[i], ARGV[i + 1])
  if ARGV[i + 2] == '' then
    redis.call('ZREM', KEYS[5], ARGV[i])
  else
    redis.call('ZADD', KEYS[5], ARGV[i + 2], ARGV[i])
  end
end
redis.call('HSET', KEYS[2], 'folded', ARGV[3])
return 1
