// The faults: what goes wrong on purpose.

import { button, el, table } from "./dom.js";
import { call, get, inTurn } from "./api.js";

const example = { method: "POST", path: "/shop/store/v1/checkout", effect: "status", status: 503, times: 2 };
const told = ["name", "effect", "fired"];
const when = (rule) => Object.entries(rule).filter(([name]) => !told.includes(name)).map(([name, value]) => name + " " + JSON.stringify(value)).join(", ");

export async function faults(main) {
  const body = el("div", {});
  const rule = el("textarea", { value: JSON.stringify(example, null, 2), spellcheck: false, className: "tall", "aria-label": "A rule, as JSON" });
  const scenarios = el("select", { "aria-label": "Scenario" });
  const refused = el("p", { className: "why", hidden: true });

  const take = inTurn(async (method, content) => {
    try {
      draw(await call(method, "faults", content) || await get("faults"));
      if (method !== "GET") refused.hidden = true;
    } catch (error) {
      refused.textContent = error.message;
      refused.hidden = false;
    }
  });

  function draw(now) {
    scenarios.replaceChildren(...now.scenarios.map((name) => el("option", { value: name, selected: name === scenarios.value }, name)));
    body.replaceChildren(now.rules.length ? table([
      { title: "Name", cell: (r) => r.name },
      { title: "Effect", cell: (r) => el("code", {}, r.effect) },
      { title: "When and how", cell: (r) => el("code", {}, when(r)) },
      { title: "Happened", className: "number", cell: (r) => el("span", { className: r.fired ? "" : "odd" }, r.fired ? r.fired + " times" : "never yet") },
    ], now.rules) : el("p", { className: "hint" }, "Nothing goes wrong on purpose."));
  }

  main.append(el("h1", {}, "Faults"), el("p", { className: "hint" }, "Rules are tried in their order at each request. What this page does itself is spared."),
    el("div", { className: "row" }, scenarios, button("Use the scenario", () => take("PUT", { scenario: scenarios.value }), { className: "main" }), button("Nothing goes wrong", () => take("DELETE"))),
    body, el("h2", {}, "Add a rule"), rule, refused, el("div", { className: "row" }, button("Add", () => take("POST", rule.value))));
  await take("GET");
  return { onRequest: (request) => request.fault && take("GET") };
}
