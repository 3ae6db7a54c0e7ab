-- An accepted result, and what it changed once it is rated.
--
-- KEYS: ids, log, changes, annulled, cursor
-- ARGV: digest of the result id
-- Returns {"unknown"}
--       | {"result", log id, log entry, packed change or nil, cursor, log id and entry of its annulment or nil twice}

local ids, log, changes, annulled, cursor = unpack(KEYS)
local CONTENT_SIZE = 16

local known = redis.call('HGET', ids, ARGV[1])
if not known then
  return {'unknown'}
end
local id = known:sub(CONTENT_SIZE + 1)
local entry = redis.call('XRANGE', log, id, id)[1]
local change = redis.call('XRANGE', changes, id, id)[1]
local annul = redis.call('HGET', annulled, id)
return {
  'result', id, entry[2][2], change and change[2][2] or false, redis.call('GET', cursor) or '0-0',
  annul, annul and redis.call('XRANGE', log, annul, annul)[1][2][2],
}
