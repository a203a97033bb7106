import { beforeEach, describe, expect, it } from "vitest";
import { readPositions } from "../../../src/datasources/reads/queries/positions.js";
import { startedForEach } from "../../support/started.js";
import { SETTINGS, twoGenerations } from "../support/twoGenerations.js";

const CLASSIC = "/api/v2/mix/position/all-position";
const UNIFIED = "/api/v3/position/current-position";

describe("a request's reads", () => {
  const world = startedForEach(twoGenerations);
  beforeEach(() => {
    world.upstream.on(CLASSIC, { data: [] });
    world.upstream.on(UNIFIED, { data: { list: null } });
  });
  const positions = () => readPositions(world.request(), world.classic, { category: "USDT-FUTURES" });

  it("find an account's mode once, however many requests follow", async () => {
    await positions();
    await Promise.all([positions(), positions()]);
    expect(world.upstream.callsOf(SETTINGS)).toHaveLength(1);
  });

  it("look up the mode again when the exchange says that the account has changed it", async () => {
    await positions();
    world.exchange.reader.drop("classic", ["classicPositions"]);
    world.upstream.on(CLASSIC, { code: "40085", msg: "You are in Unified Account mode" });
    world.upstream.on(SETTINGS, { data: { uid: "42", accountMode: "unified" } });
    await expect(positions()).rejects.toMatchObject({ code: "ACCOUNT_MODE_MISMATCH" });
    expect(await positions()).toEqual([]);
    expect(world.upstream.callsOf(UNIFIED)).toHaveLength(1);
  });
});
