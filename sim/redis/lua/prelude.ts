/**
 * Run once in the interpreter's VM: what Lua 5.1 has and 5.3 has not, and the read-only views of all tables that
 * scripts see. Redis's pcall hands out an error's text where the error is a table. Returns the environment of scripts.
 */
export const PRELUDE = `
local real = _G
local error, setmetatable, rawget, next, type, pcall, load = error, setmetatable, rawget, next, type, pcall, load
local function readonly(target, missing)
  return setmetatable({}, {
    __index = missing and function(_, name)
      local value = target[name]
      if value == nil then error(missing(name), 2) end
      return value
    end or target,
    __newindex = function() error('Attempt to modify a readonly table', 2) end,
    __pairs = function() return next, target, nil end,
    __metatable = false,
  })
end
local fmod, log, unpack, pairs, ipairs, select = math.fmod, math.log, table.unpack, pairs, ipairs, select
math.pow = function(a, b) return a ^ b end
math.mod = fmod
math.log10 = function(x) return log(x, 10) end
math.type, math.tointeger, math.ult = nil, nil, nil
math.maxinteger, math.mininteger = nil, nil
table.getn = function(t) return #t end
table.maxn = function(t)
  local most = 0
  for k in next, t do if type(k) == 'number' and k > most then most = k end end
  return most
end
table.foreach = function(t, f)
  for k, v in next, t do local r = f(k, v) if r ~= nil then return r end end
end
table.foreachi = function(t, f)
  for i = 1, #t do local r = f(i, t[i]) if r ~= nil then return r end end
end
table.pack, table.unpack, table.move = nil, nil, nil
string.gfind = string.gmatch
string.pack, string.unpack, string.packsize = nil, nil, nil
-- Calls f with its first argument checked, and named in errors, as Lua 5.1 does.
local function checked(name, f)
  return function(...)
    local t = ...
    if type(t) ~= 'table' then
      local got = select('#', ...) == 0 and 'no value' or type(t)
      error("bad argument #1 to '" .. name .. "' (table expected, got " .. got .. ")", 2)
    end
    return f(...)
  end
end
local function unwrapped(ok, e, ...)
  if not ok and type(e) == 'table' and type(rawget(e, 'err')) == 'string' then return ok, e.err end
  return ok, e, ...
end
local environment
local scripts = {
  assert = assert, error = error, getmetatable = getmetatable, ipairs = checked('ipairs', ipairs), next = next, pairs = checked('pairs', pairs),
  pcall = function(...) return unwrapped(pcall(...)) end, rawequal = rawequal, rawget = rawget, rawset = rawset, select = select, setmetatable = setmetatable,
  tonumber = tonumber, tostring = tostring, type = type, unpack = checked('unpack', unpack), xpcall = xpcall, _VERSION = 'Lua 5.1',
  collectgarbage = function() return 0 end,
  loadstring = function(text, name) return load(text, name or text, 't', environment) end,
  load = function(f, name) return load(f, name, 't', environment) end,
  string = readonly(string), table = readonly(table), math = readonly(math), coroutine = readonly(coroutine),
  redis = readonly(redis),
}
setmetatable(scripts, { __index = function(_, name)
  if name == 'KEYS' or name == 'ARGV' then return rawget(real, name) end
end })
environment = readonly(scripts, function(name)
  return "Script attempted to access nonexistent global variable '" .. real.tostring(name) .. "'"
end)
scripts._G = environment
return environment
`;
