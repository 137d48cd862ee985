"use strict";
// Making elements. Text from the report only ever becomes text nodes here: nothing is parsed as HTML.

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

// make builds an element with a class; children are nodes or texts.
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

// copyButton copies what text() returns and says so for a moment.
function copyButton(label, text) {
  const button = make("button", "quiet copy js", label);
  button.type = "button";
  button.addEventListener("click", () => copyText(button, text()));
  return button;
}

async function copyText(button, text) {
  button.dataset.label ??= button.textContent; // a second click comes while the button still says what the first has done
  button.textContent = (await toClipboard(text)) ? "Copied" : "Select and copy by hand";
  setTimeout(() => { button.textContent = button.dataset.label; }, 1600);
}

// toClipboard also works on pages that came over plain HTTP, where browsers hide the clipboard.
async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", "sr");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

