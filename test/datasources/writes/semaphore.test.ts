import { expect, it } from "vitest";
import { Semaphore } from "../../../src/datasources/writes/outcomeReconciler.js";

it("a turnstile lets a fixed number through, and the clients of those who wait take turns", async () => {
  const semaphore = new Semaphore(2);
  const inside: string[] = [];
  const leaves: (() => void)[] = [];
  const enter = (client: string) =>
    semaphore.enter(client).then((leave) => {
      inside.push(client);
      leaves.push(leave);
    });
  const all = [...Array.from({ length: 10 }, () => enter("many")), enter("one")];
  await Promise.all(all.slice(0, 2));
  expect(inside).toEqual(["many", "many"]);
  for (let at = 0; at < all.length; at++) {
    leaves[at]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(inside.length).toBeLessThanOrEqual(at + 3);
  }
  await Promise.all(all);
  expect(inside.indexOf("one")).toBeLessThanOrEqual(3);
});
