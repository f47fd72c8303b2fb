-- Requests of mixed kinds and sizes, good and bad. One in twenty closes its connection.
-- The environment variable WORKLOADS names the folder written by Benchmarks/workloads.py.

local folder = os.getenv("WORKLOADS")

local function read(name)
  local file = assert(io.open(folder .. "/" .. name .. ".json", "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local json = { ["Content-Type"] = "application/json" }
local closing = { ["Content-Type"] = "application/json", ["Connection"] = "close" }
local requests = {}
local turn = 0

init = function()
  local bodies = { tiny = read("tiny"), news = read("news"), products = read("products"), table = read("table") }
  local function post(path, body, count)
    for _ = 1, count do
      turn = turn + 1
      local headers = turn % 20 == 0 and closing or json
      requests[#requests + 1] = wrk.format("POST", path, headers, body)
    end
  end
  post("/cells/notification", bodies.tiny, 60)
  post("/cells/news", bodies.news, 20)
  post("/cells/news?format=json", bodies.news, 8)
  post("/cells/news?format=ndjson&on_error=skip", bodies.news, 4)
  post("/cells/product", bodies.products, 2)
  post("/cells/table-row", bodies.table, 1)
  post("/cells/news", "[1,2", 2)
  post("/cells/nothing", "[]", 1)
  post("/cells", '[{"kind":"news","data":{"title":"a"}},{"kind":"digest","data":{"title":"b"}},{}]', 1)
  requests[#requests + 1] = wrk.format("GET", "/cells/news?title=Hi&author.name=Ada", json)
  requests[#requests + 1] = wrk.format("GET", "/kinds", json)
  turn = 0
end

request = function()
  turn = turn % #requests + 1
  return requests[turn]
end
