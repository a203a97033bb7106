import { type FunctionComponent, type LazyExoticComponent, lazy } from "react";
import { Store } from "../state/store.js";

/** Time after which a page has finished loading, ms. */
const AT_REST_MS = 10_000;
/** Pause before a part is requested again, ms. */
const AGAIN_MS = 2_000;

/** Whether the gateway has another build of this page, and parts of this one are gone. */
export const isReplaced = new Store(false);

/** Compares the page's script with that of the page that the gateway has now. */
async function hasOtherBuild(): Promise<boolean> {
  const script = globalThis.document?.querySelector("script[type=module]")?.getAttribute("src");
  if (!script) return false;
  try {
    const answer = await fetch("/", { cache: "no-store" });
    return answer.ok && !(await answer.text()).includes(script);
  } catch (error) {
    // The gateway cannot be reached.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/**
 * Loads a part of the page, and requests it again while the gateway cannot be reached: if it failed, React would take the whole
 * page down.
 */
export async function loaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load();
    } catch {
      // The page shows that the gateway cannot be reached, or has another build.
      if (!isReplaced.value) isReplaced.set(await hasOtherBuild());
      await new Promise((over) => setTimeout(over, AGAIN_MS));
    }
  }
}

/** A component of a part that is loaded when it is first rendered. */
export const lazily = <Part, Props>(
  load: () => Promise<Part>,
  component: (part: Part) => FunctionComponent<Props>,
): LazyExoticComponent<FunctionComponent<Props>> => lazy(async () => ({ default: component(await loaded(load)) }));

/** Loads a part that may be opened later, once the page has finished loading: the gateway may be unreachable when it is opened. */
export function atRest<Part>(load: () => Promise<Part>): () => Promise<Part> {
  setTimeout(() => void loaded(load), AT_REST_MS);
  return load;
}
