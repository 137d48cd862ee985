#!/usr/bin/env bash
# How many products a second 32 clients create in a shop that keeps each on the disk before it answers (--sync commit), beside what the disk
# confirms: a bare loop of writing a page and fdatasync, in the same folder, before and after.
#
#   kept-writes.sh PATH-TO-SHOPMOCK [flag of serve…]   SECONDS_EACH=8 CLIENTS=32 ROUNDS=3 FOLDER=where it is kept (a temporary one)
#
# The shop's requests and the disk's confirmations are counted over the same time in turns; needs wrk, curl, python3.
set -eu
mock=$1; shift
seconds=${SECONDS_EACH:-8} clients=${CLIENTS:-32} rounds=${ROUNDS:-3}
work=$(mktemp -d -p "${FOLDER:-${TMPDIR:-/tmp}}"); shop=
trap '[ -z "$shop" ] || kill "$shop" 2>/dev/null || true; rm -rf "$work"' EXIT
port=$(python3 -c 'import socket; s=socket.socket(); s.bind(("127.0.0.1",0)); print(s.getsockname()[1])')
url=http://127.0.0.1:$port
"$mock" serve --listen "127.0.0.1:$port" --data "$work/shop" "$@" >"$work/log" 2>&1 & shop=$!
for _ in $(seq 200); do ! curl -s -o /dev/null "$url/readyz" || break; sleep 0.05; done
cat >"$work/create.lua" <<'L'
wrk.method = "POST"
wrk.body = [[{"name":"Kept","type":"simple","regular_price":"21.99","manage_stock":true,"stock_quantity":12}]]
wrk.headers["Content-Type"] = "application/json"
L
confirmed() { # confirmations a second
  python3 - "$work/page" "$1" <<'P'
import os, sys, time
file = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY, 0o600)
page, count, end = bytes(4096), 0, time.monotonic() + float(sys.argv[2])
os.pwrite(file, page * 256, 0)
while time.monotonic() < end:
    os.pwrite(file, page, count % 256 * 4096)
    os.fdatasync(file)
    count += 1
print(count / float(sys.argv[2]))
P
}
key="Authorization: Basic $(printf %s ck_mock_rw:cs_mock_rw | base64)"
for _ in $(seq "$rounds"); do
  before=$(confirmed 2)
  out=$(wrk -t1 -c"$clients" -d"${seconds}s" -s "$work/create.lua" --latency -H "$key" "$url/shop/v3/products")
  if grep -q 'Non-2xx' <<<"$out"; then echo "$out" >&2; exit 1; fi
  echo "$(awk '/Requests\/sec/{print $2}' <<<"$out") $before $(confirmed 2) $(awk '$1=="99%"{print $2}' <<<"$out")"
done | awk '{ disk = ($2 + $3) / 2; printf "%.0f creates a second, the disk confirms %.0f: %.1f times as many; 99%% within %s\n", $1, disk, $1 / disk, $4 }'
