import { describe, expect, it } from "vitest";
import type { OrderRateStore } from "../../../../src/datasources/writes/limits/orderRates.js";

const ACCOUNT = { name: "account 1001", most: 5 };
const CLIENT = { name: "client token:a", most: 2 };

/** The contract of every store of order rates. `open` returns a replica's store over one set of unused counters. */
export function orderRateContract(open: () => Promise<OrderRateStore>): void {
  describe("the orders of a second", () => {
    it("are counted up to the most, under all names or none, and looked at without being counted", async () => {
      const store = await open();
      for (let look = 0; look < 10; look++) expect(await store.full([ACCOUNT, CLIENT])).toEqual([]);
      const counted = await Promise.all(Array.from({ length: 4 }, () => store.count([ACCOUNT, CLIENT])));
      expect(counted).toEqual([[], [], [CLIENT.name], [CLIENT.name]]);
      expect(await store.full([ACCOUNT, CLIENT])).toEqual([CLIENT.name]);
      const more = await Promise.all(Array.from({ length: 4 }, () => store.count([ACCOUNT])));
      expect(more.flat()).toEqual([ACCOUNT.name]);
      expect(await store.count([{ ...CLIENT, name: "client token:b" }])).toEqual([]);
    });

    it("may be none at all", async () => {
      expect(await (await open()).count([{ name: "client none", most: 0 }])).toEqual(["client none"]);
    });
  });
}
