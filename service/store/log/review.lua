-- Keeps facts of the review of an ended game, if the game is still there with the log that they are about.
--
-- KEYS  1 meta  2 review   ARGV  1 head  2 seconds to keep the review  3 how many choices the game has
--       then pairs of a version and the facts about the choice there
-- Gives 1, or nothing where the game is another one, or gone.
if redis.call('HGET', KEYS[1], 'head') ~= ARGV[1] then return end
if redis.call('HGET', KEYS[2], 'head') ~= ARGV[1] then redis.call('UNLINK', KEYS[2]) end
redis.call('HSET', KEYS[2], 'head', ARGV[1], 'of', ARGV[3], unpack(ARGV, 4))
redis.call('EXPIRE', KEYS[2], ARGV[2])
return 1
