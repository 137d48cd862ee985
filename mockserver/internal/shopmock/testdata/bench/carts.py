"""carts.py SHOP COUNT PRODUCT…: fills COUNT carts, each with one of every product, and prints their tokens, a line each."""
import http.client
import json
import sys
from urllib.parse import urlparse

shop, count, *products = sys.argv[1:]
connection = http.client.HTTPConnection(urlparse(shop).netloc)


def call(method, path, headers, body=None):
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read()
    if answer.status >= 400:
        sys.exit(f"{method} {path}: {answer.status} {text[:300]}")
    return answer


for _ in range(int(count)):
    token = call("GET", "/shop/store/v1/cart", {}).getheader("Cart-Token")
    for product in products:
        call("POST", "/shop/store/v1/cart/add-item", {"Cart-Token": token, "Content-Type": "application/json"},
             json.dumps({"id": int(product), "quantity": 1}))
    print(token)
