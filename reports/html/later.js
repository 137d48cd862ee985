// What the reader does not see at first is no element yet but the text of a noscript, which costs a browser next to nothing. It is drawn
// after the first picture, when there is time or when it is needed, so that this picture doesn't wait for hundreds of findings.

const waiting = $$("noscript.later");

// draw makes elements of a part: what the browser itself makes of it where scripts are off. All that comes from a report is escaped in it.
function draw(part) {
  const drawn = make("template");
  drawn.innerHTML = part.textContent;
  prepare(drawn.content);
  part.replaceWith(drawn.content);
}

// drawAll draws what still waits. Whoever needs the whole page calls it.
function drawAll() {
  waiting.splice(0).forEach(draw);
  if (!entries.length) indexRows();
}

const whenIdle = window.requestIdleCallback || ((work) => setTimeout(() => work({ timeRemaining: () => 0 }), 1));
const patience = { timeout: 200 }; // ms that a busy browser makes a part wait

// drawOn draws part by part while the browser has nothing better to do, and resolves when none is left.
function drawOn() {
  return new Promise((done) => {
    const go = (idle) => {
      for (let more = true; more && waiting.length; more = idle.timeRemaining() > 5) draw(waiting.shift());
      if (waiting.length) whenIdle(go, patience);
      else done();
    };
    whenIdle(go, patience);
  });
}
