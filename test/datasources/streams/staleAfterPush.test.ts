import { endpointNamed } from "@exchange-graph/contract";
import { describe, expect, it } from "vitest";
import { accountState } from "../../../src/datasources/streams/feeds/accountState.js";
import { fillsState } from "../../../src/datasources/streams/feeds/fillsState.js";
import { ordersState } from "../../../src/datasources/streams/feeds/ordersState.js";
import { plansState } from "../../../src/datasources/streams/feeds/plansState.js";
import { positionsState } from "../../../src/datasources/streams/feeds/positionsState.js";
import { staleAfterPush } from "../../../src/datasources/streams/staleAfterPush.js";
import { accountNamed } from "../../support/exchangeOver.js";

/** The private channels that the gateway follows, by name: the contract has more. */
const followed = new Map(
  (["UNIFIED", "CLASSIC"] as const).flatMap((mode) =>
    [ordersState, fillsState, plansState, accountState, positionsState].flatMap((state) =>
      state(accountNamed("main"), mode).sources.map(({ channel }) => [channel.name, channel.apiVersion] as const),
    ),
  ),
);

describe("what a push makes stale", () => {
  it.each([...followed])("%s: reads of its own API version", (name, apiVersion) => {
    const stale = staleAfterPush.get(name) ?? [];
    expect(stale.length).toBeGreaterThan(0);
    for (const endpoint of stale) {
      const read = endpointNamed(endpoint);
      expect(read).toMatchObject({ method: "GET", access: "private" });
      expect([apiVersion, "v2"]).toContain(read?.apiVersion);
    }
  });

  it.each([
    ["position", "openPlanOrders"],
    ["classicPositions", "classicPositions"],
  ])("%s: what the take-profit and stop-loss of a pushed position are read from", (channel, endpoint) => {
    expect(staleAfterPush.get(channel)).toContain(endpoint);
  });

  it("is listed for no channel that nobody follows", () => {
    expect([...staleAfterPush.keys()].filter((name) => !followed.has(name))).toEqual([]);
  });
});
