// The theme: the reader's choice, or that of the system. It outlives the page where the browser allows it; a file that was opened from
// disk may not store anything.

const themes = ["auto", "light", "dark"];

function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  $("#theme").textContent = "Theme: " + theme;
}

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

document.documentElement.classList.add("scripted");
setTheme(storedTheme());
$("#theme").addEventListener("click", nextTheme);

