#!/usr/bin/env bash
# What a request costs the shop, as a share of what the same answer costs bare net/http. Each server runs on one CPU, wrk loads it from
# another, in turns; the client's cost is in neither figure.
#
#   against-floor.sh PATH-TO-SHOPMOCK [case…]   cases: see below; all but million without any
#   SECONDS_EACH=4 ROUNDS=5                     needs two CPUs, wrk, curl, python3, taskset
#
# Prints a line a case: floor's CPU time divided by the shop's, median [least..most], and both in µs a request. CPU time is what the
# kernel counts for the process, so that others who use the machine disturb it less than they would requests a second. A request of the
# case batch is 100 records. interval creates and adds in a shop that is kept once a second. journal and sandboxes measure reads without a
# journal, and beside 1000 sandboxes. million (minutes, 6 GB at the start) reads lists of PRODUCTS=1000000 products, and tells what a
# product takes in memory; p99 reads while 1000 writes a second run.
# The program is to be built as releases are, without cgo (make bench-server does), since the floor is.
set -eu
mock=$1; shift
cases=${*:-get list store-list store-get cart cart-write add-item create batch checkout interval journal sandboxes p99 start}
seconds=${SECONDS_EACH:-4} rounds=${ROUNDS:-5}
work=$(mktemp -d); started=()
trap 'for p in "${started[@]}"; do kill "$p" 2>/dev/null || true; done; rm -rf "$work"' EXIT
here=$(dirname "$0")
CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o "$work/floor" "$here/floor.go"
free_port() { python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])'; }
await() { for _ in $(seq "${2:-200}"); do curl -s -o /dev/null "$1" && return; sleep 0.05; done; echo "$1 does not answer" >&2; exit 1; }
field() { python3 -c 'import json,sys; v=json.load(sys.stdin)
for k in sys.argv[1].split("."): v = v[int(k) if k.isdigit() else k]
print(v)' "$1"; }

serve() { # flag…: starts a shop, which is measured from then on
  local port; port=$(free_port); shop=http://127.0.0.1:$port
  taskset -c 0 "$mock" serve --listen "127.0.0.1:$port" "$@" >"$work/shop.log" 2>&1 & shop_pid=$!; started+=("$shop_pid")
  await "$shop/shop/store/v1/cart" 20000
}
settle() { # waits until the shop does nothing: after its first answers a start still gives back what it needed
  local was=-1; until [ "$(ticks "$shop_pid")" = "$was" ]; do was=$(ticks "$shop_pid"); sleep 2; done
}
resident() { awk '/^VmRSS/{print $2}' "/proc/$shop_pid/status"; } # kB
serve
key="Authorization: Basic $(printf %s ck_mock_rw:cs_mock_rw | base64)"
product=$(curl -s "$shop/shop/store/v1/products?per_page=1&type=simple&stock_status=instock" | field 0.id)
new_token() { curl -s -o /dev/null -D - "$shop/shop/store/v1/cart" | tr -d '\r' | awk 'tolower($1)=="cart-token:"{print $2}'; }
new_product() { curl -s -H "$key" -H 'Content-Type: application/json' -d "{\"name\":\"$1\",\"regular_price\":\"12.50\"}" "$shop/shop/v3/products" | field id; }
token="Cart-Token: $(new_token)"
item=$(curl -s -H "$token" -H 'Content-Type: application/json' -d "{\"id\":$product,\"quantity\":1}" "$shop/shop/store/v1/cart/add-item" | field items.0.key)
create='{"name":"Premium Quality","type":"simple","regular_price":"21.99","description":"A text of some length about the product.","short_description":"A text.","manage_stock":true,"stock_quantity":12,"images":[{"src":"https://shop.example.com/a.jpg"},{"src":"https://shop.example.com/b.jpg"}]}'
address='"first_name":"Ann","last_name":"Lee","address_1":"1 Main Street","city":"San Francisco","state":"CA","postcode":"94103","country":"US"'
order="{\"billing_address\":{$address,\"email\":\"ann@example.test\",\"phone\":\"555-0100\"},\"shipping_address\":{$address},\"payment_method\":\"bacs\",\"payment_data\":[]}"
batch="{\"create\":[$(printf "$create,%.0s" $(seq 99))$create]}"

ticks() { awk '{print $14+$15}' "/proc/$1/stat"; } # of 10 ms
micros() { # pid url script header: µs of CPU a request
  local before out; before=$(ticks "$1")
  out=$(taskset -c 1 wrk -t1 -c32 -d"${seconds}s" ${3:+-s "$3"} -H "$4" -H 'Content-Type: application/json' "$2")
  if grep -q 'Non-2xx' <<<"$out"; then echo "$2: $(grep Non-2xx <<<"$out")" >&2; exit 1; fi
  awk -v requests="$(awk '/requests in/{print $1}' <<<"$out")" -v ticks="$(($(ticks "$1") - before))" 'BEGIN{print ticks*10000/requests}'
}
with_tokens() { # once|again: lua that sends each request with the next of some cart tokens, which are read a line each
  printf 'local tokens, turn = {%s}, 0\n' "$(awk '{printf "\"%s\",", $0}')"
  printf 'function request()\n turn = turn + 1\n'
  if [ "$1" = once ]; then printf ' if turn > #tokens then wrk.thread:stop(); return wrk.format("GET", "/shop/store/v1/cart") end\n'; fi
  printf ' wrk.headers["Cart-Token"] = tokens[(turn - 1) %% #tokens + 1]\n return wrk.format()\nend\n'
}
measure() { # name method path header body [once|again command that prints cart tokens]
  local script= port pid
  if [ -n "$5" ]; then script=$work/$1.lua; printf 'wrk.method="%s"\nwrk.body=[[%s]]\n' "$2" "$5" >"$script"; fi
  port=$(free_port)
  taskset -c 0 "$work/floor" -listen "127.0.0.1:$port" -sample "$shop$3" -method "$2" -body "$5" -H "$4" -H 'Content-Type: application/json' &
  pid=$!; started+=("$pid")
  await "http://127.0.0.1:$port/"
  for _ in $(seq "$rounds"); do
    if [ $# -gt 5 ]; then { printf 'wrk.method="%s"\nwrk.body=[[%s]]\n' "$2" "$5"; "${@:7}" | with_tokens "$6"; } >"$script"; fi
    echo "$(micros "$pid" "http://127.0.0.1:$port$3" "$script" "$4") $(micros "$shop_pid" "$shop$3" "$script" "$4")"
  done >"$work/$1.rounds"
  kill "$pid"; wait "$pid" 2>/dev/null || true
  python3 - "$1" "$work/$1.rounds" <<'P'
import sys, statistics
name, path = sys.argv[1:]
rounds = [tuple(map(float, line.split())) for line in open(path)]
shares = [floor / shop for floor, shop in rounds]
floor, shop = (statistics.median(column) for column in zip(*rounds))
print(f'{name:11s} {statistics.median(shares):.2f} [{min(shares):.2f}..{max(shares):.2f}]  {shop:.1f} µs a request, floor {floor:.1f} µs')
P
}
measure_adding() { # name: to carts that take turns, since a line holds 9999 pieces at the most
  measure "$1" POST "/shop/store/v1/cart/add-item" "Cart-Token: $(new_token)" "{\"id\":$(new_product Bench),\"quantity\":1}" \
    again python3 "$here/carts.py" "$shop" 100
}
script() { printf 'wrk.method="%s"\nwrk.body=[[%s]]\n' "$@" >"$work/script.lua"; echo "$work/script.lua"; } # method body
after_writes() { # name path header body-of-a-write address-of-what-is-written: what reads cost of which each comes right after a write
  local writes both floor reads
  reads=$work/$1.lua writes=$(script PUT "$4")
  cat >"$reads" <<LUA
local turn, write = 0, {["Content-Type"] = "application/json"}
write["${3%%: *}"] = "${3#*: }"
function request()
  turn = turn + 1
  if turn % 2 == 0 then return wrk.format("GET") end
  return wrk.format("PUT", "$5", write, [[$4]])
end
LUA
  measure "$1-quiet" GET "$2" "$3" "" >"$work/$1.line"
  floor=$(awk '{print $(NF-1)}' "$work/$1.line")
  for _ in $(seq "$rounds"); do
    both=$(micros "$shop_pid" "$shop$2" "$reads" "$3"); echo "$(micros "$shop_pid" "$shop$5" "$writes" "$3") $both $floor"
  done | python3 -c '
import statistics, sys
rounds = [tuple(map(float, line.split())) for line in sys.stdin]
read, floor = statistics.median(2 * both - write for write, both, _ in rounds), rounds[0][2]
print(f"{sys.argv[1]:11s} {floor / read:.2f}  {read:.1f} µs a request, median of {len(rounds)}, floor {floor:.1f} µs")' "$1"
}
latency() { # script: ms in which 99 of 100 reads of a product are answered
  taskset -c 1 wrk -t1 -c8 -d"${seconds}s" --latency -H "$key" "$shop/shop/v3/products/$product" |
    awk '$1=="99%"{ms = $2+0; if ($2 ~ /us$/) ms /= 1000; else if ($2 !~ /ms$/) ms *= 1000; print ms}'
}
for case in $cases; do
  case $case in
    get)        measure get GET "/shop/v3/products/$product" "$key" "" ;;
    list)       measure list GET "/shop/v3/products?per_page=10" "$key" "" ;;
    store-list) measure store-list GET "/shop/store/v1/products?per_page=10" "X-None: 1" "" ;;
    store-get)  measure store-get GET "/shop/store/v1/products/$product" "X-None: 1" "" ;;
    cart)       measure cart GET "/shop/store/v1/cart" "$token" "" ;;
    cart-write) measure cart-write POST "/shop/store/v1/cart/update-item" "$token" "{\"key\":\"$item\",\"quantity\":2}" ;;
    add-item)   measure_adding add-item ;;
    interval)   # create and add-item in a shop that is kept once a second
      serve --data "$work/kept" --sync interval
      measure create-kept POST "/shop/v3/products" "$key" "$create"
      measure_adding add-kept ;;
    create)     measure create POST "/shop/v3/products" "$key" "$create" ;;
    batch)      measure batch POST "/shop/v3/products/batch" "$key" "$batch" ;;
    checkout)   # of carts with two lines, each of which is bought once, in a shop that knows nothing of the cases before
      serve
      goods="$(new_product One) $(new_product Two)"
      fill() { python3 "$here/carts.py" "$shop" "$1" $goods; }
      measure checkout POST "/shop/store/v1/checkout" "Cart-Token: $(fill 1)" "$order" once fill "$((seconds * 1000))" ;;
    journal)
      serve --journal -1
      measure get-quiet GET "/shop/v3/products/$product" "$key" ""
      measure list-quiet GET "/shop/v3/products?per_page=10" "$key" "" ;;
    sandboxes)
      serve
      for _ in $(seq 1000); do printf 'url=%s/_mock/sandboxes\nrequest=POST\noutput=/dev/null\n' "$shop"; done | curl -s -K -
      measure get-1000 GET "/shop/v3/products/$product" "$key" ""
      measure list-1000 GET "/shop/v3/products?per_page=10" "$key" "" ;;
    p99)
      steady=$(script PUT '{"stock_quantity":5}'); echo 'function delay() return 10 end' >>"$steady"
      for _ in $(seq "$rounds"); do
        quiet=$(latency)
        taskset -c 1 wrk -t1 -c12 -d"${seconds}s" -s "$steady" -H "$key" -H 'Content-Type: application/json' \
          "$shop/shop/v3/products/$(new_product P99)" >"$work/writes" &
        writer=$!; busy=$(latency); wait "$writer"
        echo "$quiet $busy $(awk '/^Requests\/sec/{print $2}' "$work/writes")"
      done | awk '{ratio = $2/$1; if (!n++ || ratio < least) {least = ratio; line = $0}}
        END {split(line, at); printf "p99         %.1f times quiet, least of %d", least, n
          printf "  %s ms, quiet %s ms, %.0f writes a second\n", at[2], at[1], at[3]}' ;;
    million)
      before=$(resident); many=${PRODUCTS:-1000000}
      serve --scale "products=$many"
      settle
      echo "memory      $((($(resident) - before) * 1024 / many)) bytes a product"
      id=$(curl -s -H "$key" "$shop/shop/v3/products?per_page=1" | field 0.id)
      measure list-all GET "/shop/v3/products?per_page=10" "$key" ""
      category=$(curl -s -H "$key" "$shop/shop/v3/products/$id" | field categories.0.id)
      measure two-filters GET "/shop/v3/products?per_page=10&category=$category&stock_status=instock" "$key" ""
      after_writes after-write "/shop/v3/products?per_page=10" "$key" '{"stock_quantity":5}' "/shop/v3/products/$id" ;;
    start)      python3 "$here/starts.py" "$((rounds * 3))" "$mock" "$work/floor" "$shop" ;;
    *) echo "there is no case $case" >&2; exit 2 ;;
  esac
done
