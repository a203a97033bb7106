import { beforeEach, expect } from "vitest";
import { startedOnce } from "../../support/started.js";
import { type LiveGraph, startLiveGraph } from "./liveGraph.js";

/** A decimal number, and a time, as the graph writes them. */
export const AMOUNT: unknown = expect.stringMatching(/^-?\d+(\.\d+)?$/);
export const TIME: unknown = expect.stringMatching(/^\d{4}-.+Z$/);

export const iso = (ms: number): string => new Date(ms).toISOString();

/** The graph that the tests of a file share; a minute passes before each of them. */
export function sharedGraph(options?: Parameters<typeof startLiveGraph>[0]): LiveGraph {
  const live = startedOnce(() => startLiveGraph(options));
  beforeEach(() => live.nextMinute());
  return live;
}

/** Before each test the accounts' modes, which are known for ten minutes, are read: they say which lists are read. */
export function withKnownModes(live: LiveGraph): LiveGraph {
  beforeEach(async () => {
    for (const account of live.exchange.accounts) await live.exchange.modes.of(account);
    live.sandbox.calls.clear();
  });
  return live;
}
