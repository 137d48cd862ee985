"""starts.py ROUNDS SHOPMOCK FLOOR SAMPLE: how long program and floor take from nothing to the first answer, and what the program keeps."""
import socket
import statistics
import subprocess
import sys
import time

PATH = "/shop/store/v1/products?per_page=1"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start(command):
    """Starts a server; returns the milliseconds to its first answer, and the megabytes that are resident a second later."""
    port = free_port()
    address = f"127.0.0.1:{port}"
    began = time.perf_counter()
    server = subprocess.Popen([part.replace("ADDRESS", address) for part in command],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                connection = socket.create_connection(("127.0.0.1", port))
                break
            except ConnectionRefusedError:
                time.sleep(0.0002)
        connection.sendall(f"GET {PATH} HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
        if not connection.recv(12).endswith(b" 200"):
            sys.exit(f"{command[0]} does not answer {PATH}")
        took = (time.perf_counter() - began) * 1000
        connection.close()
        time.sleep(1)
        with open(f"/proc/{server.pid}/status") as status:
            sizes = dict(line.split(":") for line in status)
        return took, [int(sizes[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon")]
    finally:
        server.kill()
        server.wait()


rounds, shopmock, floor, sample = int(sys.argv[1]), *sys.argv[2:]
shops, floors = [], []
for _ in range(rounds):
    shops.append(start([shopmock, "serve", "--listen", "ADDRESS"]))
    floors.append(start([floor, "-listen", "ADDRESS", "-sample", sample + PATH]))
ours, bare = (statistics.median(took for took, _ in runs) for runs in (shops, floors))
resident, own = (statistics.median(sizes[i] for _, sizes in shops) for i in (0, 1))
print(f"start       {ours:.1f} ms from nothing to the first answer, floor {bare:.1f} ms: {ours / bare:.1f} times as long")
print(f"memory      {resident:.1f} MB resident with the demo shop, {own:.1f} MB of it the program's own, the rest its file")
