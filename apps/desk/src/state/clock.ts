import { Store } from "./store.js";

const SECOND_MS = 1_000;

/** The browser's time, Unix ms; components that show an age use this store. */
export const now = (): number => Date.now();

/** The time, once a second. */
export const seconds = new Store<number>(now(), { isLive: true });
setInterval(() => seconds.set(now()), SECOND_MS);
