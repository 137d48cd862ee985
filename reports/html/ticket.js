// A finding as Markdown, for a ticket. What the target sent stands in code, where nothing of it is Markdown any more.

function markdownOf(deviation) {
  const text = (selector, within = deviation) => { const found = $(selector, within); return found ? found.textContent.trim() : ""; };
  const first = $(".finding", deviation);
  const parts = [
    "### " + inline(text(".statement")),
    "",
    "- at " + inline(base) + ", " + text("#verdict time", document) + (text(".source > code") ? ", by " + inline(text(".source > code")) : ""),
    "- finding " + inline(deviation.id.slice("finding=".length)) + ", " + text(".source > span:not(.level)"),
    ...$$(".breaks li", deviation).map((item) => "- " + inline($(".id", item).textContent) + ": " + plain($("span:last-child", item).firstChild?.textContent ?? "")),
  ];
  const add = (title, content) => { if (content) parts.push("", title, "", fenced(content)); };
  add("Wanted:", text(".want pre", first));
  add("Got:", text(".got pre", first));
  add("The request:", text(".curl code", first));
  if (text(".gone", first)) parts.push("", plain(text(".gone", first)));
  add("A script that repeats it at any shop, beside the page:", text(".script code"));
  add("To check it again:", text(".again code"));
  return parts.join("\n") + "\n";
}

const longestRun = (text) => Math.max(0, ...(text.match(/`+/g) || []).map((run) => run.length));

// inline is text as code in a line, fenced as a block: with more backticks around it than there are in it.
function inline(text) {
  const fence = "`".repeat(longestRun(text) + 1);
  const oneLine = text.replace(/\s+/g, " ");
  return fence.length > 1 ? fence + " " + oneLine + " " + fence : fence + oneLine + fence;
}

function fenced(text) {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return fence + "\n" + text + "\n" + fence;
}

// plain is text in a line in which nothing is Markdown.
const plain = (text) => text.trim().replace(/\s+/g, " ").replace(/[\\`*_[\]<>@#|~&!]/g, "\\$&");
