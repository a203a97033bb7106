import { expect, it } from "vitest";
import { Expiry } from "../../../src/datasources/cache/expiry.js";

it("gives each key once, when its own lifetime has ended", () => {
  const expiry = new Expiry(10);
  expiry.note("long", 1_000, 0);
  expiry.note("short", 100, 0);
  expiry.note("begun anew", 100, 0);
  expiry.note("begun anew", 100, 50);
  expect([...expiry.ended(99)]).toEqual([]);
  expect([...expiry.ended(100)]).toEqual(["short"]);
  expect([...expiry.ended(149)]).toEqual([]);
  expect([...expiry.ended(1_000)]).toEqual(["long", "begun anew"]);
  expect([...expiry.ended(9_999)]).toEqual([]);
});

it("knows no more keys than it may", () => {
  const expiry = new Expiry(2);
  for (const key of ["a", "b", "c"]) expiry.note(key, 100, 0);
  expect([...expiry.ended(100)]).toEqual(["b", "c"]);
});
