// The sandboxes: shops of their own in this server.

import { button, copyButton, el, moment, notice, table } from "./dom.js";
import { base, call, get, inTurn } from "./api.js";

export async function sandboxes(main) {
  const body = el("div", {});
  const name = el("input", { placeholder: "a name, or none", "aria-label": "Name" });
  const seed = el("select", { "aria-label": "Seed" }, ["demo", "empty"].map((value) => el("option", { value }, value)));
  main.append(el("h1", {}, "Sandboxes"),
    el("p", { className: "hint" }, "Shops of their own, with their own keys, carts, webhooks, faults, clock and journal: by the address below, or by the key alone."));
  if (base.pathname !== "/_mock/") {
    main.append(el("p", {}, "This is one of them. The others are listed by ", el("a", { href: "/_mock/#sandboxes" }, "the server itself"), "."));
    return;
  }
  main.append(el("div", { className: "row" }, name, seed, button("Make one", async () => {
    try {
      await call("POST", "sandboxes", { name: name.value, seed: seed.value });
      name.value = "";
    } catch (error) {
      notice(error.message);
    }
    await draw();
  }, { className: "main" })), body);

  const draw = inTurn(async () => {
    const list = await get("sandboxes");
    body.replaceChildren(list.length ? table([
      { title: "Name", cell: (s) => el("a", { href: "/s/" + encodeURIComponent(s.name) + "/_mock/" }, s.name) },
      { title: "Address", cell: (s) => el("code", {}, s.url) },
      { title: "Key", cell: (s) => el("code", {}, s.consumer_key) },
      { title: "", cell: (s) => copyButton("Copy key and secret", () => s.consumer_key + ":" + s.consumer_secret) },
      { title: "Last used", cell: (s) => moment(s.last_used_at) },
      { title: "", cell: (s) => button("Delete", async () => { await call("DELETE", "sandboxes/" + encodeURIComponent(s.name)); await draw(); }) },
    ], list) : el("p", { className: "hint" }, "There are none."));
  });
  await draw();
}
