// The webhooks: those that are registered, what was delivered to them with both sides, and the catcher.

import { button, el, hour, notice, pretty, table } from "./dom.js";
import { call, credentials, get, inTurn } from "./api.js";

const states = { delivered: "good", failed: "bad", dropped: "bad", waiting: "odd", skipped: "muted" };
const choiceOf = (topics, label) => el("select", { "aria-label": label }, topics.map((topic) => el("option", { value: topic, selected: topic === "order.created" }, topic)));

// fieldsIn reads what is to be set: a field and its value in each line.
const fieldsIn = (text) => Object.fromEntries(text.split("\n").filter((line) => line.trim()).map((line) => {
  const [field, ...value] = line.split("=");
  return [field.trim(), value.join("=").trim()];
}));

// why says what was done to a delivery on purpose, and why it failed or was not sent.
const why = (d) => [d.fault && "a fault of yours: " + d.fault, d.reason].filter(Boolean).join("; ");
const fate = (d) => [d.state, why(d)].filter(Boolean).join(": ");

export async function webhooks(main) {
  const [{ url }, { topics }] = await Promise.all([credentials(), get("trigger")]);
  const registered = el("div", {});
  const log = el("div", {});
  const detail = el("div", { className: "card", hidden: true });
  const caught = el("div", {});
  const topic = choiceOf(topics, "Topic to register for");
  const address = el("input", { type: "url", value: url + "/_mock/catcher/console", size: 40, "aria-label": "Address that gets the deliveries" });
  const toTrigger = choiceOf(topics, "Topic to trigger");
  const toSet = el("textarea", { rows: 2, cols: 34, placeholder: "total=199.00\nbilling.email=ann@example.test", "aria-label": "Fields to set, one a line" });
  const name = el("input", { value: "console", "aria-label": "Name of the catcher", change: () => drawCaught() });
  main.append(el("h1", {}, "Webhooks"), el("h2", {}, "Registered"), registered,
    el("div", { className: "row" }, topic, address, button("Register", async () => {
      await call("POST", "shop/v3/webhooks", { name: "Console", topic: topic.value, delivery_url: address.value });
      await draw();
    })),
    el("h2", {}, "Make something happen"),
    el("p", { className: "hint" }, "Makes real records by the shop's own rules, so that webhooks go out by themselves."),
    el("div", { className: "row" }, toTrigger, toSet, button("Trigger", async () => {
      const { made, deliveries } = await call("POST", "trigger", { topic: toTrigger.value, set: fieldsIn(toSet.value) });
      notice("Made " + made.map((record) => record.resource + " " + record.id).join(", ") + "."
        + deliveries.filter((d) => d.fault).map((d) => " " + d.topic + ": " + fate(d) + ".").join(""));
      await draw();
    })),
    el("h2", {}, "Deliveries"), el("div", { className: "split two" }, log, detail),
    el("h2", {}, "Catcher"), el("p", { className: "hint" }, "Keeps what is sent to " + url + "/_mock/catcher/NAME, so that nobody needs a server for it."),
    el("div", { className: "row" }, el("label", {}, "Name", name), button("Forget", async () => { await call("DELETE", "catcher/" + encodeURIComponent(name.value)); await drawCaught(); })),
    caught);

  const draw = inTurn(async () => {
    const [hooks, deliveries] = await Promise.all([get("shop/v3/webhooks?per_page=100"), get("deliveries")]);
    registered.replaceChildren(hooks.length ? table([
      { title: "Id", className: "number", cell: (h) => h.id },
      { title: "Topic", cell: (h) => el("code", {}, h.topic) },
      { title: "Address", cell: (h) => el("code", {}, h.delivery_url) },
      { title: "Status", cell: (h) => h.status },
      { title: "", cell: (h) => button("Delete", async () => { await call("DELETE", "shop/v3/webhooks/" + h.id + "?force=true"); await draw(); }) },
    ], hooks) : el("p", { className: "hint" }, "None is registered."));
    log.replaceChildren(deliveries.length ? table([
      { title: "Time", cell: (d) => hour(d.queued_at) },
      { title: "Topic", cell: (d) => el("code", {}, d.topic) },
      { title: "State", cell: (d) => el("span", { className: states[d.state] || "" }, d.state + (d.status ? " " + d.status : "")) },
      { title: "Why", cell: why },
      { title: "", cell: (d) => button("Send again", async (event) => { event.stopPropagation(); await call("POST", "deliveries/" + d.id + "/redeliver"); await call("POST", "deliveries/drain?timeout=5s"); await draw(); }) },
    ], deliveries.reverse().slice(0, 200), (d) => ({ className: "pick", tabIndex: 0, click: () => open(d.id) })) : el("p", { className: "hint" }, "Nothing was delivered yet."));
    await drawCaught();
  });

  const open = inTurn(async (id) => {
    const d = await get("deliveries/" + id);
    const side = (title, message) => [el("h3", {}, title),
      el("pre", { className: "headers" }, Object.entries(message.headers).map(([key, values]) => key + ": " + values.join(", ")).join("\n") || "no headers"),
      message.body ? el("pre", {}, pretty(message.body)) : el("p", { className: "muted" }, "No body.")];
    detail.replaceChildren(el("h2", {}, d.topic + " to " + d.url), el("p", {}, fate(d)),
      ...side("Sent", d.request), ...side("Answered", d.response));
    detail.hidden = false;
  });

  const drawCaught = inTurn(async () => {
    const list = name.value ? await get("catcher/" + encodeURIComponent(name.value)) : [];
    caught.replaceChildren(list.length ? table([
      { title: "Time", cell: (c) => hour(c.time) },
      { title: "Topic", cell: (c) => el("code", {}, Object.entries(c.headers).find(([key]) => key.endsWith("-Webhook-Topic"))?.[1][0] || c.method) },
      { title: "Body", cell: (c) => el("details", {}, el("summary", {}, c.body.length + " characters"), el("pre", {}, pretty(c.body))) },
    ], list.reverse()) : el("p", { className: "hint" }, "It holds nothing."));
  });

  await draw();
  let soon;
  return {
    onRequest(request) {
      if (request.method === "GET") return;
      clearTimeout(soon);
      soon = setTimeout(() => draw().catch((error) => notice(error.message)), 500);
    },
  };
}
