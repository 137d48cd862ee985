// The requests: what came, what went, and why it was refused.

import { button, copyButton, el, hour, notice, pretty, table } from "./dom.js";
import { call, credentials, get, inTurn, section } from "./api.js";

// Where the contract speaks of an error, and what helps. Codes begin so.
const reasons = [
  ["shop_rest_missing_nonce", "Authentication / Store API", "A change of the cart and all of the checkout need the Nonce header or a Cart-Token: GET the cart, and send what it answers."],
  ["shop_rest_invalid_nonce", "Authentication / Store API", "Send the newest nonce: each answer brings one. After a refusal GET the cart and try again with its nonce."],
  ["shop_rest_cart_coupon", "Endpoints / Store API: cart", "The coupon is unknown, over, used up, or does not fit what is in the cart."],
  ["shop_rest_cart_invalid_key", "Endpoints / Store API: cart", "The item is no longer in the cart: data.cart holds the cart as it is now."],
  ["shop_rest_cart", "Endpoints / Store API: cart", "What the call names cannot be bought, or not so many of it."],
  ["shop_rest_checkout", "Endpoints / Store API: checkout", "Look into data.params: it names each field that is missing or wrong."],
  ["shop_rest_authentication", "Authentication / Management API", "The key is unknown, revoked, or its secret is wrong."],
  ["shop_rest_cannot", "Authentication / Management API", "The key's permission, or the user's role, does not allow it."],
  ["rest_forbidden", "Authentication", "Who called may not do this."],
  ["rest_no_route", "Endpoints", "No such address, or not with this method: data names what is near."],
  ["rest_invalid_param", "Errors", "data.params names each parameter with its fault."],
  ["rest_missing_callback_param", "Errors", "data.params names what is missing."],
  ["rest_invalid_json", "What the service does", "The body is no JSON."],
];

const reasonOf = (code) => reasons.find(([begin]) => code.startsWith(begin));
const statusClass = (status) => (status === 0 || status >= 500 ? "bad" : status >= 400 ? "odd" : "good");
const columns = [
  { title: "Time", className: "whole", cell: (r) => hour(r.time) },
  { title: "Method", cell: (r) => el("code", {}, r.method) },
  { title: "Address", cell: (r) => el("code", {}, r.target) },
  { title: "Answer", cell: (r) => el("span", { className: statusClass(r.status) }, r.status || "none") },
  { title: "Error", cell: (r) => el("span", { className: "muted" }, r.code || r.fault || "") },
  { title: "ms", className: "number", cell: (r) => r.duration_ms.toFixed(1) },
];
const mostShown = 300;

export async function requests(main, [opened]) {
  let all = (await get("requests")).reverse();
  const search = el("input", { type: "search", placeholder: "Search in method, address, status, error", "aria-label": "Search", input: draw });
  const status = el("select", { "aria-label": "Answers", change: draw },
    [["", "all answers"], ["2", "2xx"], ["4", "4xx"], ["5", "5xx"], ["fault", "faults on purpose"]].map(([value, text]) => el("option", { value }, text)));
  const rows = el("div", {});
  const detail = el("div", { className: "card", hidden: true });
  main.append(el("h1", {}, "Requests"), el("div", { className: "row" }, search, status,
    button("Clear", async () => { await call("DELETE", "requests"); all = []; detail.hidden = true; draw(); }),
    el("a", { href: "requests.har", download: "shopmock.har" }, "Download HAR")),
    el("div", { className: "split two" }, rows, detail));

  function meant(r) {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = [r.method, r.target, r.path, r.status, r.code, r.fault, r.client].join(" ").toLowerCase();
    const byStatus = !status.value || (status.value === "fault" ? Boolean(r.fault) : String(r.status)[0] === status.value);
    return byStatus && words.every((word) => text.includes(word));
  }

  function draw() {
    const found = all.filter(meant);
    rows.replaceChildren(found.length
      ? table(columns, found.slice(0, mostShown), (r) => ({ className: "pick" + (String(r.id) === opened ? " open" : ""), tabIndex: 0, "data-id": r.id, click: () => open(r.id) }))
      : el("p", { className: "hint" }, all.length ? "No request fits." : "Nothing was sent yet. As soon as an app calls the shop, it is here."),
      found.length > mostShown ? el("p", { className: "hint" }, "The newest " + mostShown + " of " + found.length + ".") : "");
  }

  const open = inTurn(async (id) => {
    opened = String(id);
    history.replaceState(null, "", "#requests/" + id);
    for (const row of rows.querySelectorAll("tr.pick")) row.classList.toggle("open", row.dataset.id === opened);
    const whole = await get("requests/" + encodeURIComponent(id));
    detail.replaceChildren(...details(whole));
    detail.hidden = false;
    detail.scrollIntoView({ block: "nearest" });
  });

  draw();
  if (opened) await open(opened).catch((error) => notice(error.message));
  return {
    onRequest(r) {
      all = [r, ...all.filter((known) => known.id !== r.id)].slice(0, 5000);
      draw();
    },
  };
}

function details(r) {
  return [
    el("h2", {}, r.method + " " + r.target),
    el("p", {}, el("span", { className: statusClass(r.status) }, r.status ? "HTTP " + r.status : "The connection ended without an answer"),
      " in " + r.duration_ms.toFixed(1) + " ms, from " + r.client),
    why(r),
    el("div", { className: "row" }, copyButton("Copy as curl", () => curl(r)), button("Send again", () => again(r))),
    ...side("Request", r.request),
    ...side("Answer", r.response),
  ].filter(Boolean);
}

// why says in the shop's words what was wrong, and where the contract speaks of it.
function why(r) {
  if (r.fault) return el("p", { className: "why" }, "Done on purpose: " + r.fault);
  if (!r.code) return null;
  const reason = reasonOf(r.code);
  let error = {};
  try { error = JSON.parse(r.response.body); } catch { /* the answer was cut off */ }
  return el("div", { className: "why" }, el("p", {}, el("b", {}, r.code), " ", error.message || ""),
    error.data?.nearest && el("p", {}, "Did you mean ", el("code", {}, error.data.nearest.join(" or ")), "?"),
    error.data?.methods && el("p", {}, "This address takes ", el("code", {}, error.data.methods.join(", ")), "."),
    Object.entries(error.data?.params || {}).map(([name, text]) => el("p", {}, el("code", {}, name), " ", String(text))),
    reason ? el("p", { className: "muted" }, reason[2] + " (", section(reason[1]), ")") : null);
}

function side(title, message) {
  const headers = Object.entries(message.headers).flatMap(([name, values]) => values.map((value) => name + ": " + value)).sort().join("\n");
  return [el("h3", {}, title), el("pre", { className: "headers" }, headers || "no headers"),
    message.body ? el("pre", { className: "body" }, pretty(message.body)) : el("p", { className: "muted" }, "No body.")];
}

const quoted = (text) => "'" + text.replaceAll("'", "'\\''") + "'";
const secretVariables = { authorization: null, nonce: "$NONCE", "cart-token": "$CART_TOKEN", cookie: "$COOKIE" };
const dropped = ["content-length", "user-agent", "accept-encoding", "connection", "host"];

// curl is a line that repeats a request. What the journal has hidden stands as a variable.
async function curl(r) {
  const { url } = await credentials();
  const parts = ["curl -i -X " + r.method, quoted(new URL(url).origin + r.target.replace(/\[redacted[^\]]*\]/g, "REDACTED"))];
  for (const [name, values] of Object.entries(r.request.headers)) {
    const low = name.toLowerCase();
    if (dropped.includes(low) || low.startsWith("sec-")) continue;
    if (low === "authorization") parts.push('-u "$KEY:$SECRET"');
    else if (secretVariables[low]) parts.push('-H "' + name + ": " + secretVariables[low] + '"');
    else for (const value of values) parts.push("-H " + quoted(name + ": " + value));
  }
  if (r.request.body) parts.push("--data-raw " + quoted(r.request.body));
  return parts.join(" ");
}

// cartToken is that of the page's own cart, which all requests share that it sends to the Store API again: those of the app are hidden.
let cartToken = "";

// again sends a request once more: to the management API with the shop's own key, to the Store API with the page's own cart.
async function again(r) {
  const { url, keys } = await credentials();
  const target = new URL(r.target, new URL(url).origin);
  for (const name of [...target.searchParams.keys()]) if (target.searchParams.get(name).includes("[redacted")) target.searchParams.delete(name);
  const headers = { "Content-Type": r.request.headers["Content-Type"]?.[0] || "application/json" };
  const sent = { method: r.method, headers, credentials: "omit" };
  if (r.request.body && !["GET", "HEAD"].includes(r.method)) sent.body = r.request.body;
  if (r.path.startsWith("/shop/store/")) {
    const sent = cartToken ? { "Cart-Token": cartToken } : {};
    const cart = await fetch(new URL("../shop/store/v1/cart", location.href), { credentials: "omit", headers: sent });
    cartToken = cart.headers.get("Cart-Token") || "";
    headers["Cart-Token"] = cartToken;
  } else {
    const key = keys.find((k) => k.permission === "read_write" && !k.revoked);
    if (key) headers.Authorization = "Basic " + btoa(key.consumer_key + ":" + key.consumer_secret);
  }
  const answer = await fetch(location.origin + target.pathname + target.search, sent);
  notice("The shop answered " + answer.status + (r.path.startsWith("/shop/store/") ? ", with the console's own cart." : "."));
}
