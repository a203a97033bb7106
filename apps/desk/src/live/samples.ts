import { Store } from "../state/store.js";

/** What an account was worth at a time. */
export interface Sample {
  /** Unix ms. */
  readonly time: number;
  /** In USDT. */
  readonly equity: string;
}

const KEPT = 5_000;

/** Equity of each account since this page was opened: the exchange keeps no history of it. */
export const samples = new Store<ReadonlyMap<string, readonly Sample[]>>(new Map());

export function sample(account: string, point: Sample): void {
  samples.update((old) => {
    const rows = old.get(account) ?? [];
    if (rows.at(-1)?.time === point.time) return old;
    return new Map(old).set(account, [...rows, point].slice(-KEPT));
  });
}
