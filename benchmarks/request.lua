-- The requests of one benchmark, for wrk.
--
-- Arguments behind "--": method, key, number of players, path, body. In path and body {player} and {other} stand
-- for two random players of different owners, {id} for an id that comes once. Whoever only reads sends no key.

local method, path, body, headers, players
local PLAYERS_PER_OWNER = 10 -- as in ladders.py
local number = 0 -- behind the prefix that setup gives each thread

function setup(thread)
  thread:set('prefix', string.format('%d-%s', os.time(), tostring(thread):match('0x(%x+)')))
end

function init(arguments)
  method, players, path, body = arguments[1], tonumber(arguments[3]), arguments[4], arguments[5] or ''
  headers = method == 'GET' and {} or {['Authorization'] = 'Bearer ' .. arguments[2]}
  if body ~= '' then
    headers['Content-Type'] = 'application/json'
  end
  math.randomseed(os.time())
end

local function name(player)
  return string.format('fighter-%07d', player)
end

function request()
  number = number + 1
  local player = math.random(0, players - 1)
  local other = (player + math.random(PLAYERS_PER_OWNER, players - PLAYERS_PER_OWNER)) % players
  local words = {id = prefix .. '-' .. number, player = name(player), other = name(other)}
  local filled = body ~= '' and body:gsub('{(%l+)}', words) or nil
  return wrk.format(method, path:gsub('{(%l+)}', words), headers, filled)
end
