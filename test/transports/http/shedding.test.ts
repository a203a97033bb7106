import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { Shedding } from "../../../src/transports/arrival/arrivalParts.js";

const MOST_PER_TURN = 8;

it("ends a few in each turn, those first that came first, and leaves none", async () => {
  const shedding = new Shedding();
  const ended: number[] = [];
  const expected = Array.from({ length: 100 }, (_, at) => at);
  for (const at of expected) shedding.add(new PassThrough(), () => ended.push(at));
  expect(ended).toEqual([]);
  const perTurn: number[] = [];
  while (ended.length < expected.length) {
    const before = ended.length;
    await turn();
    perTurn.push(ended.length - before);
  }
  expect(ended).toEqual(expected);
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(MOST_PER_TURN);
});

it("passes over what has gone by itself, and ends nothing twice", async () => {
  const shedding = new Shedding();
  const ended: string[] = [];
  const gone = new PassThrough();
  const twice = new PassThrough();
  shedding.add(gone, () => ended.push("gone"));
  shedding.add(twice, () => ended.push("first"));
  shedding.add(twice, () => ended.push("second"));
  gone.destroy();
  await turn();
  await turn();
  expect(ended).toEqual(["second"]);
});

it("goes on when it has been empty in between, and takes what comes while it works", async () => {
  const shedding = new Shedding();
  const ended: string[] = [];
  shedding.add(new PassThrough(), () => {
    ended.push("one");
    shedding.add(new PassThrough(), () => ended.push("another"));
  });
  await turn();
  await turn();
  shedding.add(new PassThrough(), () => ended.push("later"));
  await turn();
  expect(ended).toEqual(["one", "another", "later"]);
});
