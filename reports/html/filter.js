// The filters over the specs. Their whole state is the URL's hash, so that a link shows what its sender saw.

let entries = [];
let rows = [];
const facets = $$("select[data-facet]");
const chips = $$(".chip");

// indexRows reads what the page knows of each row, once all are drawn.
function indexRows() {
  rows = $$(".spec");
  entries = JSON.parse($("#index").textContent);
  entries.forEach((entry, i) => {
    entry.text = [rows[i].id, $(".text", rows[i]).textContent, ...entry.requirements, entry.text].join(" ").toLowerCase();
  });
}

// valuesOf tells what an entry has of a facet; most have one value, some several.
const valuesOf = {
  outcome: (entry) => [entry.outcome],
  topic: (entry) => [entry.topic],
  level: (entry) => entry.levels || [],
  feature: (entry) => entry.features || [],
};

let state = { outcome: new Set(), topic: "", level: "", feature: "", q: "", order: "", spec: "", req: "" };

function readHash() {
  const hash = location.hash.slice(1);
  const given = new URLSearchParams(hash.includes("=") ? hash : "");
  const one = (name) => given.get(name) || "";
  state = {
    outcome: new Set(one("outcome").split(",").filter(Boolean)),
    topic: one("topic"), level: one("level"), feature: one("feature"),
    q: one("q"), order: one("order"), spec: one("spec"), req: one("req"),
  };
}

function writeHash() {
  const hash = new URLSearchParams();
  if (state.outcome.size) hash.set("outcome", [...state.outcome].join(","));
  for (const name of ["topic", "level", "feature", "q", "order", "spec"]) if (state[name]) hash.set(name, state[name]);
  history.replaceState(null, "", hash.size ? "#" + hash : "#specs");
}

// accepts tells whether an entry passes all filters but the one named in except.
function accepts(entry, words, except) {
  if (except !== "outcome" && state.outcome.size && !state.outcome.has(entry.outcome)) return false;
  for (const { dataset: { facet } } of facets) {
    if (facet !== except && state[facet] && !valuesOf[facet](entry).includes(state[facet])) return false;
  }
  return words.every((word) => entry.text.includes(word));
}

function apply() {
  const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  entries.forEach((entry, i) => {
    rows[i].hidden = !accepts(entry, words);
    if (!rows[i].hidden) shown++;
  });
  $("#shown").textContent = shown === entries.length ? String(shown) : shown + " of " + entries.length;
  $("#nothing").hidden = shown > 0;
  $("#clear").hidden = shown === entries.length && !state.q;
  showCounts(words);
  showControls();
}

// counts tells, for each value of a facet, how many specs a click on it would leave.
function counts(facet, words) {
  const found = new Map();
  for (const entry of entries) {
    if (!accepts(entry, words, facet)) continue;
    for (const value of valuesOf[facet](entry)) found.set(value, (found.get(value) || 0) + 1);
  }
  return found;
}

function showCounts(words) {
  const byOutcome = counts("outcome", words);
  for (const chip of chips) $("b", chip).textContent = byOutcome.get(chip.dataset.outcome) || 0;
  for (const select of facets) {
    const found = counts(select.dataset.facet, words);
    for (const option of select.options) {
      if (option.value) option.textContent = option.value + " (" + (found.get(option.value) || 0) + ")";
    }
  }
}

function showControls() {
  for (const chip of chips) chip.setAttribute("aria-pressed", String(state.outcome.has(chip.dataset.outcome)));
  for (const select of facets) select.value = state[select.dataset.facet];
  $("#order").value = state.order;
  if ($("#q").value !== state.q) $("#q").value = state.q;
}

const orders = {
  "": (a, b) => a - b,
  topic: (a, b) => entries[a].topic.localeCompare(entries[b].topic) || a - b,
  slow: (a, b) => entries[b].ms - entries[a].ms || a - b,
};

let appliedOrder = "";
function applyOrder() {
  if (state.order === appliedOrder) return;
  appliedOrder = state.order;
  const sequence = entries.map((_, i) => i).sort(Object.hasOwn(orders, state.order) ? orders[state.order] : orders[""]);
  $("#list").append(...sequence.map((i) => rows[i]));
}

// change takes a new piece of state: shown, ordered, and kept in the hash.
function change(piece) {
  drawAll();
  Object.assign(state, piece);
  apply();
  applyOrder();
  writeHash();
}

function toggleOutcome(outcome) {
  const chosen = new Set(state.outcome);
  if (!chosen.delete(outcome)) chosen.add(outcome);
  change({ outcome: chosen });
}

function listenToFilters() {
  for (const chip of chips) chip.addEventListener("click", () => toggleOutcome(chip.dataset.outcome));
  for (const select of facets) select.addEventListener("change", () => change({ [select.dataset.facet]: select.value }));
  $("#order").addEventListener("change", (event) => change({ order: event.target.value }));
  $("#q").addEventListener("input", (event) => change({ q: event.target.value.trim() ? event.target.value : "" }));
  $(".filter").addEventListener("submit", (event) => event.preventDefault());
  $("#clear").addEventListener("click", () => {
    change({ outcome: new Set(), topic: "", level: "", feature: "", q: "", spec: "" });
    $("#q").focus();
  });
}

