-- Takes up a file into a ladder's archive, and cuts the entries that it holds off their stream.
--
-- KEYS: ladder, id of the archive, cursor, log, stream, files of its shelf, counters
-- ARGV: revision, id of the archive, number of files that there are, first and last log id of the new one, the id after
--       the last, file, number of its rows
-- Returns {"stale"} | {"superseded"}: nothing changed | {"done"}, also when it is sent again because the answer was lost
--
-- A stream only grows at its end and is only cut off here. So if it begins with the first entry of the file, and has the
-- last one, the file holds all of it up to there. In the log the cursor's own entry stays, and so the newest.

local ladder, archive, cursor, log, stream, files, counters = unpack(KEYS)
local revision, id, known, first, last, next_id, file, rows = unpack(ARGV)

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end
if redis.call('LINDEX', files, -1) == file then
  return {'done'}
end
local begin = redis.call('XRANGE', stream, '-', '+', 'COUNT', 1)[1]
if redis.call('GET', archive) ~= id
  or redis.call('LLEN', files) ~= tonumber(known)
  or not begin or begin[1] ~= first
  or #redis.call('XRANGE', stream, last, last) == 0
  or #redis.call('XRANGE', log, next_id, redis.call('GET', cursor) or '0-0', 'COUNT', 1) == 0 then
  return {'superseded'}
end

redis.call('RPUSH', files, file)
redis.call('XTRIM', stream, 'MINID', next_id)
if stream == log then
  redis.call('HINCRBY', counters, 'archived', rows)
end
return {'done'}
