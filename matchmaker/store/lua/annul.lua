-- A moderator annuls a result, rated or not. The entry stands behind it in the log, so the fold will have rated it.
--
-- KEYS: ladder, ids, annulled, log, awake
-- ARGV: revision, milliseconds awake, digest of the result id, log entry
-- Returns {"stale"} | {"unknown"}: no such result
--       | {"taken", log id of the entry, 1 if a folding job must be called else 0}
--       | {"idle", log id of the entry that has annulled it}: nothing changed

local ladder, ids, annulled, log, awake = unpack(KEYS)
local revision, awake_ms, id, entry = unpack(ARGV)
local CONTENT_SIZE = 16

if redis.call('HGET', ladder, 'revision') ~= revision then
  return {'stale'}
end
local known = redis.call('HGET', ids, id)
if not known then
  return {'unknown'}
end
local result = known:sub(CONTENT_SIZE + 1)
local earlier = redis.call('HGET', annulled, result)
if earlier then
  return {'idle', earlier}
end
local log_id = redis.call('XADD', log, '*', 'annul', entry)
redis.call('HSET', annulled, result, log_id)
return {'taken', log_id, redis.call('SET', awake, '1', 'NX', 'PX', awake_ms) and 1 or 0}
