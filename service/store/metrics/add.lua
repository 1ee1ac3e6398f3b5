-- Adds to the sums what a process has measured, once however often a batch is sent.
--
-- KEYS  1 sums   2 the batch's mark   ARGV  1 seconds to keep the mark   then pairs of sample and what to add
if redis.call('SET', KEYS[2], '', 'NX', 'EX', ARGV[1]) then
  for i = 2, #ARGV, 2 do redis.call('HINCRBYFLOAT', KEYS[1], ARGV[i], ARGV[i + 1]) end
end
