import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { everyRow } from "../../../../packages/contract/test/support/everyRow.js";
import type { ExchangeAccount, RequestReads } from "../../../../src/datasources/index.js";
import { readBalances } from "../../../../src/datasources/reads/queries/balances.js";
import { readFuturesAccounts } from "../../../../src/datasources/reads/queries/futuresAccounts.js";
import { readOngoingLoans } from "../../../../src/datasources/reads/queries/loans.js";
import { readOpenOrders } from "../../../../src/datasources/reads/queries/openOrders.js";
import { readPositions } from "../../../../src/datasources/reads/queries/positions.js";
import { balanceInUsdt, readTotalEquity } from "../../../../src/datasources/reads/queries/totalEquity.js";
import { rowsOf } from "../../support/rowsOf.js";
import { SETTINGS, type TwoGenerations, twoGenerations } from "../../support/twoGenerations.js";
import {
  classicOrder,
  classicPosition,
  futuresWallet,
  unifiedOrder,
  unifiedPosition,
  wireInstrument,
  wireTicker,
} from "../../support/wireRows.js";

const T0 = 1_767_225_600_000;
const SYMBOLS = Array.from({ length: 25 }, (_, at) => `C${at}USDT`);
const COINS = SYMBOLS.map((symbol) => symbol.slice(0, -4));

/** What a portfolio page asks of one account. */
async function portfolio(reads: RequestReads, account: ExchangeAccount) {
  const { loaders } = reads;
  const [balances, positions, orders, loans, total] = await Promise.all([
    readBalances(reads, account).then((rows) => Promise.all(everyRow(rows).map((row) => balanceInUsdt(reads, row)))),
    readPositions(reads, account, {}).then((rows) =>
      Promise.all(
        everyRow(rows).map(async ({ category, symbol }) => [
          await loaders.instrument(category, symbol),
          await loaders.ticker(category, symbol),
        ]),
      ),
    ),
    readOpenOrders(reads, account, {}, {}).then((slice) =>
      Promise.all(rowsOf(slice).map(({ category, symbol }) => loaders.instrument(category, symbol))),
    ),
    readOngoingLoans(reads, account, {}).then((rows) =>
      Promise.all(
        everyRow(rows).flatMap(({ loanCoin, pledgeCoin }) => [loaders.usdtPrice(loanCoin), loaders.usdtPrice(pledgeCoin)]),
      ),
    ),
    readTotalEquity(reads, account),
  ]);
  return { balances, positions, orders, loans, total };
}

describe("the portfolio of every account", () => {
  let world: TwoGenerations;
  beforeEach(async () => {
    world = await twoGenerations();
    const { upstream } = world;
    const asset = (coin: string) => ({ coin, equity: "1", balance: "1", available: "1", frozen: "0", locked: "0" });
    const loan = (pledgeCoin: string) => ({
      orderId: `l-${pledgeCoin}`,
      loanCoin: "USDT",
      loanAmount: "1",
      interestAmount: "0",
      hourInterestRate: "0",
      pledgeCoin,
      pledgeAmount: "1",
      pledgeRate: "50",
      supRate: "75",
      forceRate: "83",
      borrowTime: "1767225600000",
    });
    upstream.on("/api/v3/account/assets", { data: { accountEquity: "1", assets: COINS.map(asset) } });
    upstream.on("/api/v2/spot/account/assets", { data: COINS.map(asset) });
    upstream.on("/api/v2/mix/account/accounts", { data: [futuresWallet("USDT", "5")] });
    upstream.on("/api/v3/position/current-position", ({ query }) => ({
      data: { list: SYMBOLS.map((symbol) => unifiedPosition(query.get("category") ?? "", symbol)) },
    }));
    upstream.on("/api/v2/mix/position/all-position", { data: SYMBOLS.map(classicPosition) });
    upstream.on("/api/v3/trade/unfilled-orders", { data: { list: [unifiedOrder("1", T0, { symbol: "C1USDT" })], cursor: "1" } });
    upstream.on("/api/v2/spot/trade/unfilled-orders", { data: [classicOrder("2", T0)] });
    upstream.on("/api/v2/mix/order/orders-pending", { data: { entrustedList: [classicOrder("3", T0)], endId: "3" } });
    for (const path of ["/api/v2/earn/loan/ongoing-orders", "/api/v3/loan/borrow-ongoing"])
      upstream.on(path, { data: COINS.map(loan) });
    upstream.on("/api/v3/market/tickers", { data: SYMBOLS.map((symbol) => wireTicker(symbol, "2")) });
    upstream.on("/api/v3/market/instruments", { data: SYMBOLS.map(wireInstrument) });
  });
  afterEach(() => world.close());

  it("costs at most one call per endpoint, account and key that cannot be batched", async () => {
    const reads = world.request();
    const [unified, classic] = await Promise.all([world.main, world.classic].map((account) => portfolio(reads, account)));
    expect([unified?.total, classic?.total]).toEqual(["50", "65"]);
    expect(classic?.positions).toHaveLength(75);
    expect(unified?.balances.every((value) => value === "2")).toBe(true);
    // A category, or a kind, is the key of what is asked for by it; a coin or a symbol never is.
    const keys = world.upstream.calls.map(({ path, query, headers }) =>
      [
        path,
        headers["access-key"] ?? "everybody",
        query.get("category") ?? query.get("productType") ?? query.get("tpslType") ?? "",
      ].join(" "),
    );
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
    // Neither coins nor symbols are asked for one by one.
    expect(world.targets().filter((target) => /symbol=|coin=/i.test(target))).toEqual([]);
    expect(world.upstream.callsOf("/api/v3/market/tickers")).toHaveLength(4);
    expect(world.upstream.callsOf("/api/v3/market/instruments").length).toBeLessThanOrEqual(4);
  });

  it("costs a second dashboard nothing while the answers are fresh", async () => {
    await Promise.all([world.main, world.classic].map((account) => portfolio(world.request(), account)));
    const before = world.upstream.calls.length;
    await portfolio(world.request(), world.main);
    expect(world.upstream.calls.length - before).toBe(0);
    expect(world.upstream.callsOf(SETTINGS)).toHaveLength(2);
  });

  it("shares the futures wallets between their own list and the total", async () => {
    const reads = world.request();
    await Promise.all([readFuturesAccounts(reads, world.classic, "USDT-FUTURES"), readTotalEquity(reads, world.classic)]);
    const asked = world.upstream.callsOf("/api/v2/mix/account/accounts").map(({ query }) => query.get("productType"));
    expect(asked.sort()).toEqual(["COIN-FUTURES", "USDC-FUTURES", "USDT-FUTURES"]);
  });
});
