// The shop's settings, by group.

import { el, notice, table } from "./dom.js";
import { call, get, inTurn } from "./api.js";

export async function settings(main, [asked]) {
  const groups = await get("shop/v3/settings");
  const group = groups.find((each) => each.id === asked) || groups[0];
  const body = el("div", {});
  main.append(el("h1", {}, "Settings"),
    el("nav", { className: "sub", "aria-label": "Groups" }, groups.map((each) => el("a", { href: "#settings/" + encodeURIComponent(each.id), ...(each === group && { "aria-current": "page" }) }, each.label || each.id))), body);
  if (!group) return;

  const change = inTurn(async (option, value) => {
    try {
      await call("PUT", "shop/v3/settings/" + group.id + "/" + option.id, { value });
      notice("Changed.");
    } catch (error) {
      notice(error.message);
    }
    await draw();
  });

  function input(option) {
    if (typeof option.value !== "string") return el("code", {}, JSON.stringify(option.value));
    const listen = { "aria-label": option.label || option.id, change: (event) => change(option, event.target.value) };
    if (!option.options) return el("input", { className: "text", value: option.value, ...listen });
    return el("select", listen, Object.entries(option.options).map(([value, text]) => el("option", { value, selected: value === option.value }, text)));
  }

  const draw = inTurn(async () => {
    body.replaceChildren(table([
      { title: "Setting", cell: (o) => el("code", {}, o.id) },
      { title: "Label", cell: (o) => o.label },
      { title: "Value", cell: input },
    ], await get("shop/v3/settings/" + group.id)));
  });
  await draw();
}
