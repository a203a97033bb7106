import { HOUR_MS } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import { mapRows, rowsRead } from "@exchange-graph/contract/rows";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { describe, expect, it } from "vitest";
import { RequestReads } from "../../../../src/datasources/index.js";
import { readUnifiedAssets } from "../../../../src/datasources/reads/queries/balances.js";
import { readMarginRules } from "../../../../src/datasources/reads/queries/marginRules.js";
import { readPositions } from "../../../../src/datasources/reads/queries/positions.js";
import { LiveAccount } from "../../../../src/datasources/streams/live/liveAccount.js";
import { passing } from "../../../support/eventually.js";
import { startedForEach } from "../../../support/started.js";
import { START } from "../support/followed.js";
import { streamedSandbox } from "../support/streamedSandbox.js";

const world = startedForEach(() => streamedSandbox("v3", {}, START, undefined, false, "none", false, undefined, 1_000));

/** What the exchange says of an account at this moment. */
async function facts() {
  const [reads, account] = [new RequestReads(world.exchange), world.account("main")];
  const [read, positions] = await Promise.all([readUnifiedAssets(reads, account), readPositions(reads, account, {})]);
  const unified = { ...read, assets: mapRows(read.assets, (asset) => ({ ...asset, borrowed: null })) };
  const rules = await readMarginRules(reads, rowsRead(positions));
  return { unified, positions: rowsRead(positions), rules };
}

type Facts = Awaited<ReturnType<typeof facts>>;
type Version = ReturnType<ConstructorParameters<typeof LiveAccount>[0]["version"]>;

/** The live figures of an account of which this is held. */
function liveOver(
  held: () => Facts,
  version: () => Version,
  readAgain: () => void,
  market: ConstructorParameters<typeof LiveAccount>[1] = world.streams.market,
): LiveAccount {
  return new LiveAccount(
    {
      ...{ version, readAgain, mode: () => "UNIFIED", isProven: () => true, confirmed: () => undefined, orders: () => [] },
      positions: () => held().positions,
      holdings: () => ({ unified: held().unified, spot: [], futures: [] }),
      rules: async () => held().rules,
      failed: (error) => {
        throw error;
      },
    },
    market,
    world.clock,
    () => world.exchange.clock.now(),
  );
}

/** An account that is read again in vain, and when that was, in seconds. Its prices come while `isPriced` says so. */
async function unproven(isPriced: () => boolean = () => true) {
  const held = await passing(world.clock, 20, facts());
  // Whatever prices are known from here on are not those that it was read at.
  await world.pass(10_000, 500);
  const began = world.clock.now();
  const readAt: number[] = [];
  const next = () => ({ positions: {}, holdings: {}, orders: {} });
  let version = next();
  const { market } = world.streams;
  const readAgain = () => {
    readAt.push(Math.round((world.clock.now() - began) / 1_000));
    version = next();
    live.changed();
  };
  const live = liveOver(
    () => held,
    () => version,
    readAgain,
    {
      ticker: (subject, { next, failed }) =>
        market.ticker(subject, {
          next: (event) => {
            if (isPriced()) next(event);
          },
          failed,
        }),
      tickerKnownUntil: (subject) => market.tickerKnownUntil(subject),
    },
  );
  live.changed();
  return { live, readAt };
}

describe("an account whose figures are of no known moment", () => {
  it("is read again, with pauses that double", async () => {
    const { live, readAt } = await unproven();
    await world.pass(33_000, 500);
    live.close();
    const pauses = readAt.map((at, index) => at - (readAt[index - 1] ?? 0));
    expect(pauses).toEqual([1, 1, 1, 4, 8, 16]);
  });

  it("says why it has no proven figures", async () => {
    const { live } = await unproven();
    await world.pass(5_000, 500);
    expect(live.holdings()).toBeUndefined();
    expect(live.unprovenFor("accountUpdates")).toBe("NOT_REPRODUCED");
    live.close();
  });

  it("is not read again while a price is missing, and is once that has come", async () => {
    let isPriced = false;
    const { live, readAt } = await unproven(() => isPriced);
    await world.pass(8_000, 500);
    expect(readAt).toEqual([]);
    isPriced = true;
    await world.pass(6_000, 500);
    live.close();
    expect(readAt.length).toBeGreaterThan(0);
  });
});

describe("an account whose figures were reproduced", () => {
  it("is not read again when only its orders change", async () => {
    let held = await passing(world.clock, 20, facts());
    let readings = 0;
    let version = { positions: {}, holdings: {}, orders: {} };
    const readAgain = () => {
      readings++;
      void facts().then((read) => {
        held = read;
        version = { positions: {}, holdings: {}, orders: {} };
        live.changed();
      });
    };
    const live = liveOver(
      () => held,
      () => version,
      readAgain,
    );
    live.changed();
    const isWhole = () => (["accountUpdates", "positions"] as const).every((kind) => live.unprovenFor(kind) === undefined);
    await world.pass(5_000, 500);
    await world.until(isWhole, 90_000);
    const before = readings;
    for (let change = 0; change < 8; change++) {
      version = { ...version, orders: {} };
      live.changed();
      await world.pass(10_000, 500);
      expect(isWhole()).toBe(true);
    }
    live.close();
    expect(readings).toBe(before);
  });
});

describe("an account whose isolated positions have paid funding", () => {
  it.each([
    ["main", MAIN_UID],
    ["classic", CLASSIC_UID],
  ] as const)("is proven, with all decimals of margins that the exchange cuts: %s", async (name, uid) => {
    const { orders, state } = world.sandbox.world;
    const place = (category: FuturesCategory, symbol: string, quantity: string) =>
      orders.place({
        uid,
        category,
        symbol,
        side: "buy",
        orderType: "market",
        quantity: exact(quantity),
        marginMode: "isolated",
      });
    place("COIN-FUTURES", "BTCUSD", "0.008");
    place("USDC-FUTURES", "BTCPERP", "0.007");
    place("USDT-FUTURES", "BTCUSDT", "0.013");
    place("USDT-FUTURES", "ETHUSDT", "0.17");
    for (let hour = 0; hour < 24; hour++) world.clock.advance(HOUR_MS);
    world.sandbox.world.advance();
    const places = [...state.positions.open(uid)].map(({ margin }) => margin.toFixed().split(".")[1]?.length ?? 0);
    expect(Math.max(...places)).toBeGreaterThan(8);
    const leave = world.streams.worths.keep(world.account(name), (fault) => {
      throw fault;
    });
    await world.until(() => typeof world.streams.worths.of(world.account(name)) !== "string", 90_000);
    leave();
  });
});
