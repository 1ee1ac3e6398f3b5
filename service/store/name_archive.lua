-- Names the archive of the installation, unless it has a name, and notes that its marker is written.
--
-- KEYS  1 archive   ARGV  1 its id   2 '1' if the marker is written
-- Gives the id, and whether the marker is written.
redis.call('HDEL', KEYS[1], '') -- first: a Redis whose memory is full lets a script write that has written
redis.call('HSETNX', KEYS[1], 'id', ARGV[1])
if ARGV[2] == '1' then redis.call('HSET', KEYS[1], 'marked', '1') end
return redis.call('HMGET', KEYS[1], 'id', 'marked')
