// The time line: what is under the pointer is named below it, a click opens it.

const laneHeight = 14;

function specAt(event) {
  drawAll();
  const box = $("#line").getBoundingClientRect();
  const span = Number($("#line").dataset.span);
  const at = ((event.clientX - box.left) / box.width) * span;
  const slack = span / 500; // short specs are narrower than a hand is steady
  const lane = Math.floor((event.clientY - box.top) / laneHeight);
  const near = entries.map((entry, i) => ({ entry, i })).filter(({ entry }) => entry.lane === lane && entry.at - slack <= at && at <= entry.at + entry.ms + slack);
  return near.sort((a, b) => Math.abs(a.entry.at - at) - Math.abs(b.entry.at - at))[0];
}

function listenToTimeline() {
  const line = $("#line");
  if (!line) return;
  line.addEventListener("pointermove", (event) => {
    const found = specAt(event);
    line.classList.toggle("over", Boolean(found));
    if (found) $("#under").textContent = duration(found.entry.ms) + "  " + $(".text", rows[found.i]).textContent.trim();
  });
  line.addEventListener("click", (event) => {
    const found = specAt(event);
    if (found) location.hash = "spec=" + encodeURIComponent(rows[found.i].id.slice("spec=".length));
  });
}
