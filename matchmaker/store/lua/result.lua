-- An accepted result, and what it changed once it is rated.
--
-- KEYS: ids, log, changes, annulled, cursor
-- ARGV: digest of the result id
-- Returns {"unknown"}
--       | {"result", log id, log entry, packed change or nil, cursor, log id and entry of its annulment or nil twice};
--         what the streams do not hold (any more) is nil

local ids, log, changes, annulled, cursor = unpack(KEYS)
local CONTENT_SIZE = 16

local known = redis.call('HGET', ids, ARGV[1])
if not known then
  return {'unknown'}
end
local id = known:sub(CONTENT_SIZE + 1)
local function text(stream, at)
  local entry = redis.call('XRANGE', stream, at, at)[1]
  return entry and entry[2][2] or false
end

local annul = redis.call('HGET', annulled, id)
return {
  'result', id, text(log, id), text(changes, id), redis.call('GET', cursor) or '0-0',
  annul, annul and text(log, annul),
}
