/**
 * Service worker of the desk: keeps the page and its files, so that an installed desk opens while the gateway is away. It never
 * touches anything else; answers of the graph are not cached.
 */
const SHELL = "desk-shell-1";
const ASSETS = "/desk/assets/";
/** Files of earlier builds are removed beyond this number. */
const MAX_FILES = 120;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  // An order does not wait until the browser has started this worker. Browsers without routes send it through `fetch` below.
  event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" });
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith(ASSETS)) event.respondWith(file(request));
  else if (request.mode === "navigate" && url.pathname === "/") event.respondWith(page(request));
});

/** Files have a hash of their content in their names: what is kept is never out of date. */
async function file(request) {
  const cache = await caches.open(SHELL);
  const kept = await cache.match(request);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.ok && (await keep(cache, request, answer.clone()))) {
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - MAX_FILES)).map((key) => cache.delete(key)));
  }
  return answer;
}

/** Keeps an answer, and returns whether there was room for it. Without it the page works as long as the gateway is there. */
async function keep(cache, request, answer) {
  try {
    await cache.put(request, answer);
    return true;
  } catch {
    return false;
  }
}

/** The page comes from the gateway; the kept one is for when it is away. */
async function page(request) {
  const cache = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok) await keep(cache, "/", answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match("/");
    if (kept === undefined) throw error;
    return kept;
  }
}
