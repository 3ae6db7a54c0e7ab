-- How far the log goes.
--
-- KEYS: log
-- Returns {number of entries since its beginning, archived ones too; id of the last, or "0-0"}

local log = KEYS[1]

local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
if not last then
  return {0, '0-0'}
end
local about = redis.call('XINFO', 'STREAM', log)
for i = 1, #about, 2 do
  if about[i] == 'entries-added' then
    return {about[i + 1], last[1]}
  end
end
