import { endpointNamed } from "@exchange-graph/contract";
import { describe, expect, it } from "vitest";
import { accountState } from "../../../../src/datasources/streams/channels/balances.js";
import { fillsState } from "../../../../src/datasources/streams/channels/fills.js";
import { ordersState } from "../../../../src/datasources/streams/channels/orders.js";
import { plansState } from "../../../../src/datasources/streams/channels/plans.js";
import { positionsState } from "../../../../src/datasources/streams/channels/positions.js";
import { accountNamed } from "../../../support/exchangeOver.js";

/** The private channels that the gateway follows, with what their pushes make stale. */
const followed = (["UNIFIED", "CLASSIC"] as const).flatMap((mode) =>
  [ordersState, fillsState, plansState, accountState, positionsState].flatMap((state) =>
    state(accountNamed("main"), mode).sources.map(
      ({ channel, invalidates }) => [channel.name, channel.apiVersion, invalidates] as const,
    ),
  ),
);

describe("what a push makes stale", () => {
  it.each(followed)("%s: reads of the same API version", (_name, apiVersion, invalidates) => {
    expect(invalidates.length).toBeGreaterThan(0);
    for (const { name } of invalidates) {
      const read = endpointNamed(name);
      expect(read).toMatchObject({ method: "GET", access: "private" });
      expect([apiVersion, "v2"]).toContain(read?.apiVersion);
    }
  });

  it.each([
    ["position", "openPlanOrders"],
    ["classicPositions", "classicPositions"],
  ])("%s: what the take-profit and stop-loss of a pushed position are read from", (channel, endpoint) => {
    const [, , invalidates] = followed.find(([name]) => name === channel) ?? [];
    expect(invalidates?.map(({ name }) => name)).toContain(endpoint);
  });
});
