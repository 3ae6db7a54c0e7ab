-- A device that was blocked or unblocked is done with, unless somebody has changed that meanwhile.
--
-- KEYS: unfinished blocks
-- ARGV: tag of the device, word under which the work was begun

if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then
  redis.call('HDEL', KEYS[1], ARGV[1])
end
