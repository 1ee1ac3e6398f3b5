-- Records a worker's heartbeat: without one, an installation whose memory is full would count as down.
--
-- KEYS  1 heartbeat   ARGV  1 seconds to keep it
redis.call('DEL', KEYS[1]) -- first: a script that has called a command that makes room may write, also if none was made
redis.call('SET', KEYS[1], 1, 'EX', ARGV[1])
