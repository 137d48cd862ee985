// The start page: where the shop is, what opens it, and first calls to copy.

import { button, copyButton, el, notice } from "./dom.js";
import { call, credentials, forgetCredentials } from "./api.js";

const pair = (title, text, note) => el("div", { className: "pair" }, el("span", {}, title), el("span", {}, el("code", {}, text), note ? " " + note : ""),
  copyButton("Copy", () => text));

const may = { read: "may read", write: "may write", read_write: "may read and write" };

export async function start(main) {
  forgetCredentials();
  const { url, title, keys, users } = await credentials();
  const full = keys.find((key) => key.permission === "read_write" && !key.revoked);
  const calls = [
    ["The cart of a visitor", `curl -i '${url}/shop/store/v1/cart'`],
    ["A list of products", full && `curl -u ${full.consumer_key}:${full.consumer_secret} '${url}/shop/v3/products?per_page=2'`],
    ["Back to the seed", `curl -X POST '${url}/_mock/reset'`],
  ].filter(([, text]) => text);
  main.append(
    el("h1", {}, title),
    el("p", { className: "hint" }, "A shop in memory, for apps to be tried against. What they send is under Requests, as it comes."),
    el("h2", {}, "Addresses"),
    el("div", { className: "card" }, pair("Shop", url), pair("Management API", url + "/shop/v3"), pair("Store API", url + "/shop/store/v1")),
    el("h2", {}, "Credentials"),
    el("div", { className: "card" },
      keys.map((key) => pair(key.revoked ? "revoked" : may[key.permission] || key.permission, key.consumer_key + ":" + key.consumer_secret, key.description)),
      users.map((user) => pair("user, " + user.role, user.password ? user.login + " / " + user.password : user.login)),
      keys.length + users.length ? null : el("p", { className: "hint" }, "The shop has no API keys and no users.")),
    el("h2", {}, "First calls"),
    el("div", { className: "card" }, calls.map(([name, text]) => pair(name, text))),
    el("h2", {}, "Start again"),
    el("div", { className: "row" }, ["", "demo", "empty"].map((seed) => button(seed ? "Reset to " + seed : "Reset", async () => {
      await call("POST", "reset" + (seed ? "?seed=" + seed : ""));
      notice("The shop is as its seed has it.");
      main.replaceChildren();
      await start(main);
    }))),
  );
}
