// What ties the page together: deep links, keys, printing, and where the reader is.

// follow does what the hash says: sets the filters and opens the spec or the requirement that it names.
function follow() {
  drawAll();
  readHash();
  apply();
  applyOrder();
  for (const marked of $$(".target")) marked.classList.remove("target");
  const place = state.spec ? rowOf(state.spec) : state.req ? document.getElementById("req=" + state.req) : findingOfHash();
  if (place) show(place);
  else if (location.hash.includes("=")) bringIntoView($("#specs"));
  else if (location.hash) bringIntoView(document.getElementById(location.hash.slice(1)));
}

function findingOfHash() {
  const id = decodeURIComponent(location.hash.slice(1));
  return id.startsWith("finding=") ? document.getElementById(id) : null;
}

function show(place) {
  place.hidden = false; // a link to a spec counts more than a filter that hides it
  for (let at = place; at; at = at.parentElement) if (at.matches("details")) at.open = true;
  place.classList.add("target");
  bringIntoView(place);
}

// bringIntoView scrolls until the place stays where it is: what lies above it has its true height only once it was drawn.
function bringIntoView(place, tries = 8) {
  if (!place || !tries) return;
  place.scrollIntoView({ block: place.matches("tr") ? "center" : "start" });
  const at = place.getBoundingClientRect().top;
  const look = () => { if (Math.abs(place.getBoundingClientRect().top - at) > 1) bringIntoView(place, tries - 1); };
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(look)));
}

// remember keeps the opened spec in the hash: the address bar is always a link to what is on screen.
function remember(row) {
  const id = row.id.slice("spec=".length);
  if (row.open === (state.spec === id)) return;
  if (!row.open && state.spec !== id) return;
  state.spec = row.open ? id : "";
  state.req = "";
  writeHash();
}

// stops are what j and k lead to: findings first, then the specs that the filters leave.
function stops() {
  drawAll();
  return $$(".deviation, .spec").filter((stop) => !stop.hidden);
}

// step moves the reader one stop on or back, from the one that has the focus or else from the top of the window.
function step(by) {
  const all = stops();
  const now = all.findIndex((stop) => stop.contains(document.activeElement));
  const below = all.findIndex((stop) => stop.getBoundingClientRect().top > 60);
  const next = now >= 0 ? now + by : by > 0 ? below : below - 1;
  const stop = all[Math.max(0, Math.min(next, all.length - 1))];
  if (!stop) return;
  $("summary", stop).focus({ preventScroll: true });
  stop.scrollIntoView({ block: "nearest" });
}

function copyFocused() {
  const finding = document.activeElement.closest(".deviation");
  if (finding) copyText($(".markdown", finding), markdownOf(finding));
}

const keys = {
  "/": () => $("#q").focus(),
  "?": () => $("#keys").showModal(),
  j: () => step(1),
  k: () => step(-1),
  c: copyFocused,
};

function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, select, textarea");
    if (event.key === "Escape" && event.target === $("#q")) change({ q: "" });
    if (typing || event.ctrlKey || event.metaKey || event.altKey || $("#keys").open || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  $("#help").addEventListener("click", () => $("#keys").showModal());
}

// Paper can't unfold anything: the first findings are unfolded for it, and folded again afterwards. Of the others their first lines are
// printed, so that a report with hundreds fits some pages.
const unfoldedOnPaper = 6;
function listenToPrinting() {
  let unfolded = [];
  addEventListener("beforeprint", () => {
    drawAll();
    const findings = $$(".deviation");
    const wanted = new Set(findings.slice(0, unfoldedOnPaper));
    unfolded = [...findings, ...$$("#coverage .section")].filter((details) => details.open !== wanted.has(details));
    for (const details of unfolded) details.open = !details.open;
  });
  addEventListener("afterprint", () => { for (const details of unfolded) details.open = !details.open; });
}

// The contents mark the section at the top of the window.
function followReading() {
  const links = new Map($$(".contents a").map((link) => [link.hash.slice(1), link]));
  const seen = new Set();
  const observer = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) seen[isIntersecting ? "add" : "delete"](target.id);
    const first = [...links.keys()].find((id) => seen.has(id));
    for (const [id, link] of links) link.classList.toggle("here", id === first);
  }, { rootMargin: "-60px 0px -60% 0px" });
  for (const id of links.keys()) if (document.getElementById(id)) observer.observe(document.getElementById(id));
}

// prepare makes what was drawn do something: the page itself, or a part that is to be put into it.
function prepare(drawn) {
  for (const url of $$(".peek .url", drawn)) {
    url.title = url.textContent;
    url.textContent = shortURL(url.textContent);
  }
  for (const button of $$(".curl > .copy", drawn)) {
    button.addEventListener("click", () => copyText(button, $("code", button.parentElement).textContent));
  }
  for (const button of $$(".markdown", drawn)) {
    button.addEventListener("click", () => copyText(button, markdownOf(button.closest(".deviation"))));
  }
}

const nextPicture = () => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });

// start brings what is there to life at once, and draws the rest after the first picture. It resolves when all is drawn.
async function start() {
  prepare(document);
  document.addEventListener("toggle", ({ target }) => {
    if (target.open) fillOnce(target);
    if (target.matches(".spec")) remember(target);
  }, true);
  listenToFilters();
  listenToKeys();
  listenToPrinting();
  followReading();
  listenToTimeline();
  addEventListener("hashchange", follow);
  await nextPicture();
  if (!location.hash) await drawOn();
  follow();
}

const started = start();
