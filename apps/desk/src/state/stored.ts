/** Where something is stored: for all tabs of the browser, or for this tab. Tests have neither. */
const PLACES = { browser: () => globalThis.localStorage, tab: () => globalThis.sessionStorage };
type Place = keyof typeof PLACES;

/** Undefined if the storage is full, or blocked for this page: the desk works without. */
function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

export const recall = (place: Place, key: string): string | null => attempt(() => PLACES[place]()?.getItem(key)) ?? null;

/** Whether it is stored; otherwise it is lost with the tab. */
export const store = (place: Place, key: string, text: string): boolean =>
  attempt(() => {
    PLACES[place]()?.setItem(key, text);
    return true;
  }) ?? false;

export const forget = (place: Place, key: string): void => attempt(() => PLACES[place]()?.removeItem(key));

/** Reads stored JSON; undefined for invalid JSON. */
export function parsed(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
