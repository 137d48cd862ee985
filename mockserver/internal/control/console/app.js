// The console: pages by the address's hash, keys, and the stream of the journal that all of them may listen to.

import { $, el, notice } from "./dom.js";
import { base, credentials, get } from "./api.js";
import { start } from "./start.js";
import { requests } from "./requests.js";
import { shop } from "./shop.js";
import { webhooks } from "./webhooks.js";
import { faults } from "./faults.js";
import { clock } from "./clock.js";
import { sandboxes } from "./sandboxes.js";
import { clients } from "./clients.js";
import { settings } from "./settings.js";

// Each page is a function that fills an element. It may return what is to be told of each request, as { onRequest }.
const pages = { start, requests, shop, webhooks, faults, clock, sandboxes, clients, settings };
const titles = { start: "Start", requests: "Requests", shop: "Shop", webhooks: "Webhooks", faults: "Faults", clock: "Clock", sandboxes: "Sandboxes", clients: "Clients", settings: "Settings" };

let shown; // the page: what is told of requests, and those that came before it was drawn

function place() {
  const [name, ...rest] = location.hash.slice(1).split("/");
  return { name: Object.hasOwn(pages, name) ? name : "start", rest: rest.map(decodeURIComponent) };
}

async function show() {
  const { name, rest } = place();
  for (const link of document.querySelectorAll("body > nav a")) {
    if (link.hash === "#" + name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = titles[name] + " · shopmock";
  const main = el("main", { tabIndex: -1 });
  $("main").replaceWith(main);
  const now = shown = { early: [] };
  try {
    now.told = (await pages[name](main, rest)) || {};
  } catch (error) {
    now.told = {};
    main.append(el("p", { className: "why" }, error.message));
  }
  for (const link of document.querySelectorAll("nav [aria-current]")) link.scrollIntoView({ block: "nearest", inline: "nearest" }); // on a phone
  now.early.forEach((request) => now.told.onRequest?.(request));
}

function tell(request) {
  if (shown?.told) shown.told.onRequest?.(request);
  else shown?.early.push(request);
}

// follow listens to the journal from its newest entry on, by a stream that all windows share, and shows the page after it: what the page
// reads has all up to there, so that no request is between the two. A window that nobody sees does not listen; when it is seen again, it is
// told what it missed. After the shop was gone it may be another one, whose journal begins anew: then all is looked at again.
function follow() {
  const say = (text, on) => { $("#live").textContent = text; $("#live").className = on ? "on" : ""; };
  const worker = new URL("stream.js", import.meta.url);
  let stream, last, lost = false;
  const join = async () => {
    const newest = await get("requests?limit=1").catch(() => null);
    const same = last && (await get("requests/" + last.id).catch(() => ({}))).time === last.time;
    if (!same) {
      last = newest?.[0];
      show();
    }
    if (!newest) {
      say("no journal");
      return;
    }
    stream ??= open();
    if (!document.hidden) stream.postMessage({ after: last?.id || 0 });
  };
  const open = () => {
    const port = globalThis.SharedWorker ? new SharedWorker(worker).port : new Worker(worker);
    port.onmessage = ({ data }) => {
      if (data.request) {
        last = data.request;
        tell(data.request);
        return;
      }
      say(data.live ? "● live" : "○ not connected", data.live);
      if (data.live && lost) {
        last = undefined;
        join();
      }
      lost = !data.live;
    };
    return port;
  };
  const leave = () => stream?.postMessage({});
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : join()));
  addEventListener("pagehide", leave);
  join();
}

const keys = {
  "?": ["this list", () => $("#keys").showModal()],
  "/": ["search", () => $("main input[type=search]")?.focus()],
  ...Object.fromEntries(Object.keys(pages).map((name, i) => [String(i + 1), [titles[name], () => { location.hash = name; }]])),
  j: ["next row", () => step(1)],
  k: ["previous row", () => step(-1)],
};

function step(by) {
  const rows = [...document.querySelectorAll("main tr.pick")];
  const now = rows.indexOf(document.activeElement);
  rows[Math.max(0, Math.min(now + by, rows.length - 1))]?.focus();
}

function listenToKeys() {
  $("#keys dl").append(...Object.entries(keys).map(([key, [words]]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, words))));
  $("#help").addEventListener("click", keys["?"][1]);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || $("#keys").open) return;
    if (event.key === "Enter" && event.target.matches("tr.pick")) event.target.click();
    else if (Object.hasOwn(keys, event.key)) keys[event.key][1]();
    else return;
    event.preventDefault();
  });
}

addEventListener("unhandledrejection", (event) => { notice(event.reason.message); event.preventDefault(); });
addEventListener("hashchange", show);
$("body > nav").append(...Object.keys(pages).map((name) => el("a", { href: "#" + name }, titles[name])));
credentials().then(({ title, url }) => { $("#where").textContent = title + " at " + url; });
listenToKeys();
follow();
