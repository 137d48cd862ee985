// A worker that all windows of a shop's console share, with the one stream of the journal: a browser has six connections to a host, and
// would wait without end for a seventh. Where a browser has no shared workers, each window has its own. Windows that nobody sees do not
// listen, so that consoles of many sandboxes may be open on one host.

const known = new Map(); // by window that listens: the id of the last request that it was told
let stream;

function serve(port) {
  port.onmessage = ({ data: { after } }) => {
    if (after === undefined) known.delete(port);
    else known.set(port, after);
    if (after !== undefined || !known.size) listen();
  };
}

// listen begins with what one of the windows does not know yet.
function listen() {
  stream?.close();
  if (!known.size) return;
  stream = new EventSource(new URL("../requests/events?after=" + Math.min(...known.values()), location));
  stream.addEventListener("request", (event) => {
    const request = JSON.parse(event.data);
    for (const [port, last] of known) {
      if (request.id <= last) continue;
      known.set(port, request.id);
      port.postMessage({ request });
    }
  });
  stream.onopen = () => tell({ live: true });
  stream.onerror = () => tell({ live: false }); // the browser connects again by itself
}

const tell = (message) => known.forEach((_, port) => port.postMessage(message));

if ("onconnect" in self) self.onconnect = ({ ports: [port] }) => serve(port);
else serve(self);
