// Making elements. What comes from the shop and its clients only ever becomes text: nothing is parsed as HTML.

export const $ = (selector, within = document) => within.querySelector(selector);

// el makes an element; what in about is a function listens, all else is a property of it.
export function el(tag, about = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(about)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name.startsWith("aria-") || name.startsWith("data-")) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// table shows rows by columns: each has a title, a cell(row), and may have a class.
export function table(columns, rows, about = () => ({})) {
  return el("div", { className: "wide" }, el("table", {},
    el("thead", {}, el("tr", {}, columns.map((column) => el("th", { scope: "col", className: column.className || "" }, column.title)))),
    el("tbody", {}, rows.map((row) => el("tr", about(row), columns.map((column) => {
      const cell = column.cell(row);
      const shown = cell === null || cell === undefined || cell === "" ? [] : [cell instanceof Node ? cell : String(cell)];
      return el("td", { className: column.className || "", "data-title": column.title }, shown);
    }))))));
}

let hiding;
export function notice(text) {
  const box = $("#notice");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { box.hidden = true; }, 5000);
}

export const button = (label, click, about = {}) => el("button", { type: "button", click, ...about }, label);

// copyButton copies what text() returns, and says so.
export function copyButton(label, text) {
  return button(label, async () => {
    try {
      await navigator.clipboard.writeText(await text());
      notice("Copied.");
    } catch {
      const area = el("textarea", { value: await text() });
      document.body.append(area);
      area.select();
      notice(document.execCommand("copy") ? "Copied." : "The browser does not let the page copy: select the text instead.");
      area.remove();
    }
  });
}

export const moment = (text) => (text ? new Date(text).toLocaleString() : "");
export const hour = (text) => new Date(text).toTimeString().slice(0, 8);

// pretty lays JSON out; what is none, or was cut off, stays as it is.
export function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
