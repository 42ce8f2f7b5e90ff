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
local fmod, log = math.fmod, math.log
math.pow = function(a, b) return a ^ b end
math.mod = fmod
math.log10 = function(x) return log(x, 10) end
math.type, math.tointeger, math.ult = nil, nil, nil
math.maxinteger, math.mininteger = nil, nil
-- Quicksort by the median of three, without the random pivots of Lua 5.3.
local floor = math.floor
table.sort = function(t, less)
  less = less or function(a, b) return a < b end
  local function sort(lo, up)
    while lo < up do
      if less(t[up], t[lo]) then t[lo], t[up] = t[up], t[lo] end
      if up - lo == 1 then return end
      local mid = floor((lo + up) / 2)
      if less(t[mid], t[lo]) then t[mid], t[lo] = t[lo], t[mid]
      elseif less(t[up], t[mid]) then t[mid], t[up] = t[up], t[mid] end
      if up - lo == 2 then return end
      local pivot = t[mid]
      t[mid], t[up - 1] = t[up - 1], pivot
      local i, j = lo, up - 1
      while true do
        repeat
          i = i + 1
          if i > up then error('invalid order function for sorting', 3) end
        until not less(t[i], pivot)
        repeat
          j = j - 1
          if j < lo then error('invalid order function for sorting', 3) end
        until not less(pivot, t[j])
        if j < i then break end
        t[i], t[j] = t[j], t[i]
      end
      t[up - 1], t[i] = t[i], t[up - 1]
      if i - lo < up - i then
        sort(lo, i - 1)
        lo = i + 1
      else
        sort(i + 1, up)
        up = i - 1
      end
    end
  end
  sort(1, #t)
end
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
local function unwrapped(ok, e, ...)
  if not ok and type(e) == 'table' and type(rawget(e, 'err')) == 'string' then return ok, e.err end
  return ok, e, ...
end
local environment
local scripts = {
  assert = assert, error = error, getmetatable = getmetatable, ipairs = ipairs, next = next, pairs = pairs,
  pcall = function(...) return unwrapped(pcall(...)) end, rawequal = rawequal, rawget = rawget, rawset = rawset, select = select, setmetatable = setmetatable,
  tonumber = tonumber, tostring = tostring, type = type, unpack = unpack, xpcall = xpcall, _VERSION = 'Lua 5.1',
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
