import { type FunctionComponent, type LazyExoticComponent, lazy } from "react";

/** When a page is at rest, ms. */
const AT_REST_MS = 10_000;
/** Pause before a part is asked for again, ms. */
const AGAIN_MS = 2_000;

/** Loads a part of the page. While the gateway is away it asks again: without it, React would take the whole page down. */
export async function loaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load();
    } catch {
      // What is on the page says that the gateway is away.
      await new Promise((over) => setTimeout(over, AGAIN_MS));
    }
  }
}

/** A component of a part that is loaded when it is first rendered. */
export const lazily = <Part, Props>(
  load: () => Promise<Part>,
  component: (part: Part) => FunctionComponent<Props>,
): LazyExoticComponent<FunctionComponent<Props>> => lazy(async () => ({ default: component(await loaded(load)) }));

/** Loads a part that somebody may open, once the page is at rest: the gateway may be away when it is opened. */
export function atRest<Part>(load: () => Promise<Part>): () => Promise<Part> {
  setTimeout(() => void loaded(load), AT_REST_MS);
  return load;
}
