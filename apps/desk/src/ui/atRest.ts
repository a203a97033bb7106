/** When a page is at rest, ms. */
const AT_REST_MS = 10_000;

/** Loads a part that somebody may open, once the page is at rest: the gateway may be away when it is opened. */
export function atRest<Part>(load: () => Promise<Part>): () => Promise<Part> {
  setTimeout(() => void load(), AT_REST_MS);
  return load;
}
