// The clock of the shop: freeze, set and advance it.

import { button, el } from "./dom.js";
import { call, inTurn } from "./api.js";

export async function clock(main) {
  const now = el("p", { className: "mono" });
  const refused = el("p", { className: "why", hidden: true });
  const moment = el("input", { type: "text", size: 24, placeholder: "2026-12-24T18:00:00Z", "aria-label": "Moment" });
  const step = el("input", { type: "text", size: 8, value: "24h", "aria-label": "How far" });

  function draw(clock) {
    now.textContent = clock.now + (clock.frozen ? ", stands still" : "") + (clock.moved ? ", moved" : "");
    if (!moment.value) moment.value = clock.now.replace(/\.\d+/, "");
  }

  const take = inTurn(async (method, change) => {
    try {
      draw(await call(method, "clock", change));
      refused.hidden = true;
    } catch (error) {
      refused.textContent = error.message;
      refused.hidden = false;
    }
  });

  main.append(el("h1", {}, "Clock"), el("p", { className: "hint" }, "Sales, coupons, nonces, tokens and held stock go by it."), now, refused,
    el("div", { className: "row" }, moment, button("Set", () => take("POST", { set: moment.value }))),
    el("div", { className: "row" }, step, button("Advance", () => take("POST", { advance: step.value })), ["1h", "24h", "30d"].map((by) => button("+" + by, () => take("POST", { advance: by })))),
    el("div", { className: "row" }, button("Freeze", () => take("POST", { freeze: true })), button("Let it run", () => take("POST", { freeze: false })),
      button("Back to the real time", () => take("DELETE")), button("Look again", () => take("GET"))));
  await take("GET");
}
