// Exchanges: built from the JSON block beside their spec, and only when somebody opens them.

const base = document.body.dataset.base;

const shortURL = (url) => (base && url.startsWith(base) ? url.slice(base.length) || "/" : url);

const duration = (ms) => (ms < 10 ? ms.toFixed(1) + " ms" : ms < 1000 ? Math.round(ms) + " ms" : (ms / 1000).toFixed(2) + " s");

const rowOf = (specID) => document.getElementById("spec=" + specID);

// The exchanges of all specs are one packed block, which is unpacked when the first of them is opened.
let unpacked;
async function exchangesOf(row) {
  unpacked ??= unpack($("#exchanges").textContent);
  return (await unpacked)[row.id.slice("spec=".length)] || [];
}

async function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// exchangeDetails is one exchange folded up; finding is the one that it shows, if any.
function exchangeDetails(exchange, finding) {
  const details = make("details", "exchange");
  const answer = make("span", exchange.status >= 500 || exchange.status === 0 ? "answer bad" : "answer",
    "→ " + (exchange.status || "no answer"));
  const summary = make("summary", "", make("b", "method", exchange.method), " ",
    make("span", "url", shortURL(exchange.url)), " ", answer, " ", make("span", "took", duration(exchange.duration_ms)));
  if (exchange.retries) summary.append(" ", make("span", "retries", exchange.retries === 1 ? "1 retry" : exchange.retries + " retries"));
  if (finding) summary.append(" ", make("span", "cause", "shows the finding"));
  details.append(summary);
  details.fill = () => details.append(...exchangeBody(exchange, finding ? finding.path : "", true));
  return details;
}

// exchangeBody is what an open exchange shows below its summary.
function exchangeBody(exchange, path, withCurl) {
  const sent = direction("Request", exchange.method + " " + exchange.url, exchange.request, "");
  const received = direction("Answer", exchange.error || statusLine(exchange), exchange.response, path);
  const nodes = [make("div", "directions", sent, received)];
  if (withCurl && exchange.curl) {
    nodes.push(make("div", "curl", make("code", "", exchange.curl), copyButton("Copy curl", () => exchange.curl)));
    if (exchange.gone) nodes.push(make("p", "hint gone", "Gone: " + exchange.gone.join(", ") + ", deleted after the run: take the id of another."));
  }
  return nodes;
}

function statusLine(exchange) {
  const line = exchange.status ? "HTTP " + exchange.status + " in " + duration(exchange.duration_ms) : "No answer came.";
  return exchange.retries ? line + ", after " + (exchange.retries === 1 ? "1 retry" : exchange.retries + " retries") : line;
}

function direction(title, line, message, path) {
  const header = make("header", "", make("h4", "", title));
  const headers = make("pre", "headers", line);
  for (const { name, value } of message.header) headers.append("\n", make("b", "", name + ":"), " " + value);
  const part = make("div", "direction", header, headers);
  if (message.body) {
    header.append(copyButton("Copy body", () => message.body));
    part.append(payload(message.body, path));
  } else {
    part.append(make("p", "none", "No body."));
  }
  if (message.truncated) part.append(make("p", "cut", message.truncated + " more bytes were cut off."));
  return part;
}

// Bodies above this many characters are shown as they are: colouring them would take longer than it helps.
const longestColoured = 200000;

// Levels below this one are indented no further: with an indentation for each, 16 KiB of brackets become 268 MB.
const deepestIndented = 40;

function payload(body, path) {
  const block = make("pre", "payload");
  block.tabIndex = 0;
  if (/^\s*[[{]/.test(body) && body.length <= longestColoured) indentJSON(block, body, path);
  else block.append(body);
  return block;
}

// indentJSON lays JSON out token by token, so that numbers, escapes and duplicate keys stay exactly as they were sent
// and a body that was cut off can be read as well. The value at the path (a.0.b) is marked.
function indentJSON(into, text, path) {
  const token = /"(?:[^"\\]|\\[^])*"?|[{}[\],:]|[^\s"{}[\],:]+/g;
  const nest = [];
  const newline = () => "\n" + "  ".repeat(Math.min(nest.length, deepestIndented));
  const here = () => nest.map((level) => level.at).join(".");
  const deepest = path.split(".").length;
  const put = (className, value) => {
    const span = make("span", className, value);
    if (path && nest.length <= deepest && here() === path) span.classList.add("hit");
    into.append(span);
  };
  const tokens = text.match(token) || [];
  tokens.forEach((part, i) => {
    const level = nest[nest.length - 1];
    const opensEmpty = (part === "{" && tokens[i + 1] === "}") || (part === "[" && tokens[i + 1] === "]");
    switch (part) {
      case "{": case "[":
        put("", part);
        nest.push({ list: part === "[", at: part === "[" ? 0 : "", empty: opensEmpty });
        if (!opensEmpty) into.append(newline());
        break;
      case "}": case "]":
        nest.pop();
        into.append(level && level.empty ? part : newline() + part);
        break;
      case ",":
        if (level && level.list) level.at++;
        into.append("," + newline());
        break;
      case ":":
        into.append(": ");
        break;
      default:
        if (level && !level.list && tokens[i + 1] === ":") {
          level.at = part.slice(1, -1);
          into.append(make("span", "key", part));
        } else {
          put(part[0] === '"' ? "string" : "other", part);
        }
    }
  });
}

// fillSpec puts the findings, the requirements and the exchanges into a spec's row the first time it is opened.
async function fillSpec(row) {
  const body = $(".body", row);
  const shown = new Map();
  for (const finding of $$(".deviation .finding").filter((f) => f.dataset.spec === row.id.slice("spec=".length))) {
    const peek = $(".peek", finding);
    if (peek) shown.set(Number(peek.dataset.exchange), { path: peek.dataset.path });
    const copy = make("article", "finding", ...$$(":scope > h3, :scope > .compare, :scope > .meta", finding).map((part) => part.cloneNode(true)));
    copy.classList.add(...finding.closest("section").classList);
    body.append(copy);
  }
  const verified = entries[row.dataset.at].requirements.map(requirementLine);
  body.append(make("h4", "", "Verifies"),
    make("ul", "plain verifies", ...(verified.length ? verified : [make("li", "none", "no requirement")])));
  const exchanges = await exchangesOf(row);
  if (exchanges.length) body.append(make("h4", "", exchanges.length === 1 ? "1 exchange" : exchanges.length + " exchanges"));
  exchanges.forEach((exchange, i) => {
    const details = exchangeDetails(exchange, shown.get(i));
    body.append(details);
    if (shown.has(i) || exchanges.length === 1) details.open = true;
  });
}

// requirementLine is a requirement as the coverage shows it, in a line.
function requirementLine(id) {
  const link = make("a", "id", id);
  link.href = "#req=" + encodeURIComponent(id);
  const known = document.getElementById("req=" + id);
  const level = known && $(".level", known);
  return make("li", "", ...(level ? [level.cloneNode(true)] : []), link, " ", make("span", "", known ? $("p", known).textContent : ""));
}

// fillPeek puts the exchange into a finding.
async function fillPeek(details) {
  const row = rowOf(details.closest(".finding").dataset.spec);
  const exchange = row && (await exchangesOf(row))[Number(details.dataset.exchange)];
  if (exchange) details.append(...exchangeBody(exchange, details.dataset.path, false));
}

// filling ends when all that was opened so far is filled.
let filling = Promise.resolve();
const filled = new WeakSet();
function fillOnce(details) {
  if (filled.has(details)) return;
  filled.add(details);
  filling = Promise.all([filling, fill(details)]);
}

async function fill(details) {
  drawAll();
  if (details.fill) details.fill();
  else if (details.matches(".peek")) await fillPeek(details);
  else if (details.matches(".spec")) await fillSpec(details);
  const hit = $(".hit", details);
  if (hit) hit.closest(".payload").scrollTop = hit.offsetTop - hit.closest(".payload").offsetTop - 60;
}
