-- Entries of a stream, if what comes before them in the archive is what the caller knows.
--
-- KEYS: stream, files of its shelf
-- ARGV: log id behind which to begin, how many entries, number of files that the caller knows, the last of them or ""
-- Returns {"grown"}: the files are others | {{log id, {field, value}}, ...}

local stream, files = unpack(KEYS)
local after, count, known, last = unpack(ARGV)

if redis.call('LLEN', files) ~= tonumber(known) or (redis.call('LINDEX', files, -1) or '') ~= last then
  return {'grown'}
end
return redis.call('XRANGE', stream, '(' .. after, '+', 'COUNT', count)
