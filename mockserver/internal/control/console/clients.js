// The clients: who calls, and what they do wrong without failing.

import { button, el, hour, notice, table } from "./dom.js";
import { call, get, inTurn, section } from "./api.js";

const states = { earned: "earned", sound: "sound", not_judged: "not judged" };
const classes = { must: "bad", should: "odd", observed: "" };
const modes = { on: "watch clients", header: "watch, and tell in each answer", off: "watch nobody" };
const order = ["earned", "not_judged", "sound"];

export async function clients(main) {
  const body = el("div", {});
  const mode = el("select", { "aria-label": "Whether clients are watched", change: (event) => take("PUT", { mode: event.target.value }) },
    Object.entries(modes).map(([value, text]) => el("option", { value }, text)));
  main.append(el("h1", {}, "Clients"),
    el("p", { className: "hint" }, "What apps do wrong without failing. Calls that can be read in two ways accuse nobody; the same as a report: shopmock verdict."),
    el("div", { className: "row" }, mode, button("Begin anew", () => take("DELETE"))), body);

  const take = inTurn(async (method, content) => {
    try {
      await call(method, "advice", content);
    } catch (error) {
      notice(error.message);
    }
    await draw();
  });

  const draw = inTurn(async () => {
    const now = await get("advice");
    mode.value = now.mode;
    const seen = now.advice.filter((a) => a.state === "earned");
    body.replaceChildren(
      now.clients.length ? table(clientColumns, now.clients) : el("p", { className: "hint" }, now.mode === "off" ? "Nobody is watched." : "Nobody has called yet."),
      el("h2", {}, "Earned"),
      seen.length ? el("div", { className: "advice" }, seen.map(card)) : el("p", { className: "hint" }, "Nothing was seen."),
      el("h2", {}, "All advice"),
      table(adviceColumns, [...now.advice].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))));
  });

  let waiting;
  await draw();
  return {
    onRequest() { // one look for many requests
      clearTimeout(waiting);
      waiting = setTimeout(draw, 300);
    },
  };
}

const clientColumns = [
  { title: "Client", cell: (c) => String(c.id) },
  { title: "Program", cell: (c) => el("code", {}, c.user_agent || "without a name") },
  { title: "From", cell: (c) => el("code", {}, c.address) },
  { title: "Requests", className: "number", cell: (c) => String(c.requests) },
  { title: "Last", className: "whole", cell: (c) => hour(c.last_at) },
  { title: "Earned", cell: (c) => c.advice.join(", ") },
];

const adviceColumns = [
  { title: "Advice", cell: (a) => el("code", {}, a.id) },
  { title: "Level", cell: (a) => a.level },
  { title: "State", className: "whole", cell: (a) => el("span", { className: a.state === "earned" ? classes[a.level] : a.state === "sound" ? "good" : "muted" }, states[a.state]) },
  { title: "Seen", className: "number", cell: (a) => a.chances ? a.count + " of " + a.chances : "" },
  { title: "What it takes", cell: (a) => a.state === "not_judged" ? el("span", {}, a.chance, ". Try: ", el("code", {}, a.try)) : a.chance },
];

function card(a) {
  return el("div", { className: "card" },
    el("p", {}, el("b", { className: classes[a.level] }, a.id), " ", el("span", { className: "muted" }, a.level + ", ", section(a.section))),
    el("p", {}, a.text),
    el("ul", {}, a.seen.map((s) => el("li", {}, "Client " + s.client + (s.note ? ", " + s.note : "") + ": ", s.calls.flatMap((c, i) => [i ? ", then " : "", proof(c)])))));
}

const proof = (c) => {
  const text = c.method + " " + c.path + " → " + c.status;
  if (c.request_id) return el("a", { href: "#requests/" + c.request_id }, text);
  return c.delivery_id ? el("a", { href: "#webhooks" }, text + ", delivery " + c.delivery_id) : text;
};
