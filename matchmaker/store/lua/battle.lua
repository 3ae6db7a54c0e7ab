-- One battle as it stands.
--
-- KEYS: battle, cursor
-- Returns {} if there is no such battle | {cursor, field, value, ...}

local battle, cursor = unpack(KEYS)

local record = redis.call('HGETALL', battle)
if #record == 0 then
  return {}
end
table.insert(record, 1, redis.call('GET', cursor) or '0-0')
return record
