import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ACCOUNT_STATES } from "../support/accountStates.js";
import { type Observed, StateMatrix } from "../support/stateMatrix.js";

/** Long enough to include a full hour, at which interest is charged. */
const SECONDS = 60;
const BEATS = 2;

let matrix: StateMatrix;
let observed: ReadonlyMap<string, Observed>;
beforeAll(async () => {
  matrix = await StateMatrix.open();
  const all = await matrix.observe(SECONDS, BEATS);
  observed = new Map(all.map((one) => [one.state.name, one]));
  if (process.env.STATE_MATRIX === "1") process.stdout.write(`${all.map(lineOf).join("\n")}\n`);
}, 240_000);
afterAll(async () => {
  await matrix.close();
});

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((one, other) => one + other, 0);
const callsPerMinute = ({ calls }: Observed): number => (sum(calls) * 60) / SECONDS;
const p99 = ({ ages }: Observed): number => ages.toSorted((one, other) => one - other)[Math.floor(ages.length * 0.99)] ?? 0;

const lineOf = (one: Observed): string =>
  [one.state.name, callsPerMinute(one), p99(one), JSON.stringify(one.missed), JSON.stringify(one.calls)].join(" | ");

const seen = (name: string): Observed => {
  const found = observed.get(name);
  if (found === undefined) throw new Error(`${name} was not observed`);
  return found;
};

/** Calls for an account, and for one that trades every minute. */
const limitOf = ({ state }: Observed): number => (state.eachMinute === undefined ? 3 : 6);

describe.each(ACCOUNT_STATES.map(({ name }) => name))("an account that is read once a second: %s", (name) => {
  it("costs at most three calls a minute, or six if it has traded in it", () => {
    const one = seen(name);
    expect([one.calls, callsPerMinute(one)]).toEqual([one.calls, expect.toSatisfy((count) => count <= limitOf(one))]);
  });

  it("is at most 350 ms old in 99 % of answers", () => {
    expect(seen(name).ages.length).toBeGreaterThan(SECONDS * 5);
    expect(p99(seen(name))).toBeLessThanOrEqual(350);
  });

  it("equals the exchange to the last digit", () => {
    const { compared, state } = seen(name);
    expect(new Set(compared.map(({ what }) => what)).size).toBe(state.mode === "unified" ? 5 : 6);
    for (const { what, live, exchange } of compared) expect([what, live]).toEqual([what, exchange]);
  });
});
