// The shop's API under this page's own address, so that a sandbox's console steers the sandbox.

import { el } from "./dom.js";

export const base = new URL(".", location.href);

// Refusal is an answer that is an error, in the words of the shop.
export class Refusal extends Error {}

export async function call(method, path, body) {
  const answer = await send(method, path, body);
  return answer.status === 204 ? null : answer.json();
}

async function send(method, path, body) {
  const sent = { method, headers: { Accept: "application/json" } };
  if (body !== undefined) {
    sent.body = typeof body === "string" ? body : JSON.stringify(body);
    sent.headers["Content-Type"] = "application/json";
  }
  const answer = await fetch(new URL(path, base), sent);
  if (!answer.ok) throw new Refusal(await wordsOf(answer));
  return answer;
}

async function wordsOf(answer) {
  const error = await answer.json().catch(() => ({}));
  const params = Object.values(error.data?.params || {}).join(" ");
  return [params || error.message || "The shop answered " + answer.status + ".", error.code && "(" + error.code + ")"].filter(Boolean).join(" ");
}

export const get = (path) => call("GET", path);

// inTurn makes a function whose calls begin when those before them are over: what is drawn last is then what was read last.
export function inTurn(work) {
  let last = Promise.resolve();
  return (...given) => (last = last.catch(() => {}).then(() => work(...given)));
}

// list reads a page of a collection of the management API, and how many records there are.
export async function list(collection, params) {
  const answer = await send("GET", "shop/v3/" + collection + "?" + new URLSearchParams(params));
  return { rows: await answer.json(), total: Number(answer.headers.get("X-Shop-Total")) };
}

let known;
export const credentials = () => (known ??= get("credentials"));
export const forgetCredentials = () => { known = undefined; };

// section names a section of the contract; a link where its address is known, by the anchor that renderers of Markdown make of a heading.
export function section(name) {
  const shown = el("span", {}, "contract, section “" + name + "”");
  const anchor = name.split(" / ").pop().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").trim().replaceAll(" ", "-");
  credentials().then(({ contract }) => {
    if (contract) shown.replaceChildren(el("a", { href: contract + "#" + anchor, target: "_blank", rel: "noopener" }, shown.textContent));
  });
  return shown;
}
