-- An accepted result, and what it changed once it is rated.
--
-- KEYS: ids, log, changes
-- ARGV: digest of the result id
-- Returns {"unknown"} | {"result", log id, log entry, packed change or nil}

local ids, log, changes = unpack(KEYS)
local CONTENT_SIZE = 16

local known = redis.call('HGET', ids, ARGV[1])
if not known then
  return {'unknown'}
end
local id = known:sub(CONTENT_SIZE + 1)
local entry = redis.call('XRANGE', log, id, id)[1]
local change = redis.call('XRANGE', changes, id, id)[1]
return {'result', id, entry[2][2], change and change[2][2]}
