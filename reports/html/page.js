// What ties the page together: deep links, the theme, keys, printing, and where the reader is.

// follow does what the hash says: sets the filters and opens the spec or the requirement that it names.
function follow() {
  readHash();
  apply();
  applyOrder();
  for (const marked of $$(".target")) marked.classList.remove("target");
  const place = state.spec ? rowOf(state.spec) : state.req ? document.getElementById("req=" + state.req) : findingOfHash();
  if (place) show(place);
  else if (location.hash.includes("=")) $("#specs").scrollIntoView();
}

function findingOfHash() {
  const id = decodeURIComponent(location.hash.slice(1));
  return id.startsWith("finding=") ? document.getElementById(id) : null;
}

function show(place) {
  place.hidden = false; // a link to a spec counts more than a filter that hides it
  for (let at = place; at; at = at.parentElement) if (at.matches("details")) at.open = true;
  place.classList.add("target");
  place.scrollIntoView({ block: place.matches("tr") ? "center" : "start" });
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

const themes = ["auto", "light", "dark"];
function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  $("#theme").textContent = "Theme: " + theme;
}

// The theme outlives the page where the browser allows it; a file that was opened from disk may not store anything.
function storedTheme() {
  try {
    const stored = localStorage.getItem("report-theme");
    return themes.includes(stored) ? stored : "auto";
  } catch {
    return "auto";
  }
}

function nextTheme() {
  const now = document.documentElement.dataset.theme || "auto";
  const next = themes[(themes.indexOf(now) + 1) % themes.length];
  setTheme(next);
  try { localStorage.setItem("report-theme", next); } catch { /* it then lasts as long as the page */ }
}

function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      $("#q").focus();
    } else if (event.key === "Escape" && event.target === $("#q")) {
      change({ q: "" });
    }
  });
}

// Paper can't unfold anything: what explains the verdict is unfolded for it, and folded again afterwards.
function listenToPrinting() {
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = $$(".deviation:not([open]), .more:not([open]), .section:not([open])");
    for (const details of unfolded) details.open = true;
  });
  addEventListener("afterprint", () => { for (const details of unfolded) details.open = false; });
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

function start() {
  document.documentElement.classList.add("scripted");
  setTheme(storedTheme());
  $("#theme").addEventListener("click", nextTheme);
  for (const url of $$(".peek .url")) {
    url.title = url.textContent;
    url.textContent = shortURL(url.textContent);
  }
  for (const button of $$(".finding .copy")) {
    button.addEventListener("click", () => copyText(button, button.previousElementSibling.textContent));
  }
  document.addEventListener("toggle", ({ target }) => {
    if (target.open) fillOnce(target);
    if (target.matches(".spec")) remember(target);
  }, true);
  listenToFilters();
  listenToKeys();
  listenToPrinting();
  followReading();
  addEventListener("hashchange", follow);
  follow();
}

start();
