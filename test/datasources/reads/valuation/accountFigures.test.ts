import { exact, isZero } from "@exchange-graph/contract/decimal";
import type { FuturesAccount } from "@exchange-graph/contract/futuresAccount";
import type { Position } from "@exchange-graph/contract/position";
import { rowsRead } from "@exchange-graph/contract/rows";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { markPrice, usdtPrice } from "@exchange-graph/sandbox/world/state";
import { describe, expect, it } from "vitest";
import { RequestReads } from "../../../../src/datasources/index.js";
import { readUnifiedAssets } from "../../../../src/datasources/reads/queries/balances.js";
import { readFuturesAccounts } from "../../../../src/datasources/reads/queries/futuresSettings.js";
import { readMarginRules } from "../../../../src/datasources/reads/queries/marginRules.js";
import { readPositions } from "../../../../src/datasources/reads/queries/positions.js";
import { walletAt } from "../../../../src/datasources/reads/valuation/classicWallet.js";
import type { MarginRules, Prices } from "../../../../src/datasources/reads/valuation/marginRules.js";
import { OtherMarginSearch } from "../../../../src/datasources/reads/valuation/otherMargin.js";
import { NO_OTHER_MARGIN, unifiedAt } from "../../../../src/datasources/reads/valuation/unifiedAccount.js";
import { seeded } from "../../../support/seeded.js";
import { startedForEach } from "../../../support/started.js";
import { streamedSandbox } from "../../streams/support/streamedSandbox.js";

/** How many prices each account is looked at. */
const LOOKS = Number.parseInt(process.env.FIGURES_LOOKS ?? "4", 10);

const world = startedForEach(() => streamedSandbox());

const MARKETS = [
  { category: "USDT-FUTURES", symbol: "BTCUSDT", marginCoin: "USDT", unit: "0.013" },
  { category: "USDT-FUTURES", symbol: "ETHUSDT", marginCoin: "USDT", unit: "0.17" },
  { category: "USDC-FUTURES", symbol: "BTCPERP", marginCoin: "USDC", unit: "0.007" },
  { category: "COIN-FUTURES", symbol: "BTCUSD", marginCoin: "BTC", unit: "0.011" },
] as const;

/** The sandbox's own prices of this moment. */
const presentPrices = (): Prices => {
  const { state } = world.sandbox.world;
  return {
    mark: (category, symbol) => {
      const futures = FUTURES_CATEGORIES.find((one) => one === category);
      return futures && markPrice(state, futures, symbol);
    },
    coin: (coin) => usdtPrice(state, coin),
  };
};

/** Waits for calls while the prices do not change. */
async function still<T>(waiting: Promise<T>): Promise<T> {
  let isOver = false;
  const watched = waiting.finally(() => {
    isOver = true;
  });
  while (!isOver) await world.pass(0);
  return watched;
}

async function unified(reads: RequestReads) {
  const assets = await still(readUnifiedAssets(reads, world.account("main")));
  return { ...assets, assets: rowsRead(assets.assets) };
}

const positionsOf = async (name: "main" | "classic"): Promise<readonly Position[]> =>
  rowsRead(await still(readPositions(new RequestReads(world.exchange), world.account(name), {})));

const rulesOf = (positions: readonly Position[]): Promise<MarginRules> =>
  still(readMarginRules(new RequestReads(world.exchange), positions));

const dropAll = (name: string) =>
  world.exchange.reader.drop(name, ["positions", "classicPositions", "unifiedAssets", "futuresAccounts", "classicSpotAssets"]);

/** Opens, raises and reduces positions in every futures category, on either side, cross and isolated. */
async function trade(uid: string, seed: number): Promise<void> {
  const random = seeded(seed);
  for (const { unit, ...market } of MARKETS) {
    const side = random(2) === 0 ? "buy" : "sell";
    const marginMode = random(2) === 0 ? "crossed" : "isolated";
    for (const times of [3, 1 + random(3), -1]) {
      const isReduced = times < 0;
      world.sandbox.world.orders.place({
        uid,
        ...market,
        side: isReduced === (side === "buy") ? "sell" : "buy",
        orderType: "market",
        quantity: exact(unit).times(String(Math.abs(times))),
        marginMode,
        ...(isReduced ? { reduceOnly: true } : {}),
      });
      await world.pass(400, 200);
    }
  }
}

describe("an account at other prices has the exchange's own figures to the last digit", () => {
  it.each([1, 2, 3])("of a unified account and its positions, trades %i", async (seed) => {
    await trade(MAIN_UID, seed);
    dropAll("main");
    const reads = new RequestReads(world.exchange);
    const facts = { assets: await unified(reads), positions: await positionsOf("main"), other: NO_OTHER_MARGIN };
    expect(facts.positions.length).toBeGreaterThan(3);
    const rules = await rulesOf(facts.positions);
    for (let look = 0; look < LOOKS; look++) {
      await world.pass(20_000, 2_000);
      dropAll("main");
      const said = { assets: await unified(new RequestReads(world.exchange)), positions: await positionsOf("main") };
      const { assets, positions } = unifiedAt(facts, rules, presentPrices());
      expect(positions).toEqual(said.positions);
      expect(assets).toEqual(said.assets);
    }
  });

  it.each([4, 5, 6])("of a Classic account's wallets and positions, trades %i", async (seed) => {
    await trade(CLASSIC_UID, seed);
    dropAll("classic");
    const account = world.account("classic");
    const wallets = async (): Promise<readonly (readonly [string, FuturesAccount])[]> => {
      const reads = new RequestReads(world.exchange);
      const lists = FUTURES_CATEGORIES.map(async (category) =>
        rowsRead(await readFuturesAccounts(reads, account, category)).map((wallet) => [category, wallet] as const),
      );
      return (await still(Promise.all(lists))).flat();
    };
    const first = { wallets: await wallets(), positions: await positionsOf("classic") };
    const rules = await rulesOf(first.positions);
    for (let look = 0; look < LOOKS; look++) {
      await world.pass(20_000, 2_000);
      dropAll("classic");
      const said = { wallets: await wallets(), positions: await positionsOf("classic") };
      const prices = presentPrices();
      const found = first.wallets.map(([category, wallet]) => {
        const isOfIt = (one: Position) => one.categoryRaw === category && one.marginCoin === wallet.marginCoin;
        return walletAt(wallet, first.positions.filter(isOfIt), rules, prices);
      });
      expect(found.map(({ wallet }) => wallet)).toEqual(said.wallets.map(([, wallet]) => wallet));
      const positions = new Set(found.flatMap((one) => one.positions));
      expect(positions).toEqual(new Set(said.positions));
    }
  });
});

describe("balances at their price", () => {
  const facts = async () => ({ assets: await unified(new RequestReads(world.exchange)), positions: [], other: NO_OTHER_MARGIN });

  it("are worth in USD what the exchange says of each coin, traded on spot or on margin", async () => {
    for (const category of ["SPOT", "MARGIN"] as const)
      world.sandbox.world.orders.place({
        uid: MAIN_UID,
        category,
        symbol: "ETHUSDT",
        side: "sell",
        orderType: "market",
        quantity: exact("0.137"),
      });
    await world.pass(1_000);
    dropAll("main");
    const first = await facts();
    const rules = await rulesOf([]);
    for (let look = 0; look < LOOKS; look++) {
      await world.pass(5_000, 1_000);
      const found = unifiedAt(first, rules, presentPrices());
      dropAll("main");
      expect(found.assets).toEqual(await unified(new RequestReads(world.exchange)));
    }
  });

  it("have what is owed taken off, with the margin that the exchange takes for it", async () => {
    world.sandbox.world.orders.place({
      uid: MAIN_UID,
      category: "MARGIN",
      symbol: "ETHUSDT",
      side: "sell",
      orderType: "market",
      quantity: exact("14"),
    });
    await world.pass(1_000);
    dropAll("main");
    const owing = await facts();
    expect(owing.assets.assets.some(({ debt }) => debt !== null && !isZero(debt))).toBe(true);
    const rules = await rulesOf([]);
    const prices = presentPrices();
    const { sums } = unifiedAt(owing, rules, prices);
    if (sums === undefined) throw new Error("the figures cannot be computed");
    const search = new OtherMarginSearch({ positions: [], unified: owing.assets, wallets: [], orders: [] }, rules);
    const other = search.find(sums, owing.assets, prices);
    if (other === undefined) throw new Error("the exchange's margin is not found");
    for (let look = 0; look < LOOKS; look++) {
      await world.pass(5_000, 1_000);
      dropAll("main");
      const { assets } = unifiedAt({ ...owing, other }, rules, presentPrices());
      expect(assets).toEqual(await unified(new RequestReads(world.exchange)));
    }
  });
});
