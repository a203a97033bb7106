import { ManualClock } from "@exchange-graph/contract/clock";
import { type Exact, plain } from "@exchange-graph/contract/decimal";
import { describe, expect, it } from "vitest";
import { openExchange } from "../../src/sandboxExchange.js";
import { crowdLiquidation } from "../../src/world/market/crowd.js";
import { createWorld } from "../../src/world/world.js";
import { fileSandbox } from "../support/fileSandbox.js";
import { credentialOf, signedCall } from "../support/signedCall.js";
import { BROKER_UID, CLASSIC_UID, d, MAIN_UID } from "./support.js";

/** What a world has from its start. */

const NOW = 1_767_225_600_000;
const DAY_MS = 86_400_000;
/** What came later is no past. */
const BEGAN = NOW - 9 * 3_600_000;

const sandbox = await fileSandbox({ clock: new ManualClock(NOW) });

const rowsOf = async (account: "main" | "classic" | "broker", target: string, list?: string) => {
  const { code, data } = await signedCall(sandbox, credentialOf(account), `/api/${target}`);
  expect(code).toBe("00000");
  const rows = list === undefined ? data : (data as Readonly<Record<string, unknown>>)[list];
  return rows as readonly Readonly<Record<string, string>>[];
};
const month = `startTime=${NOW - 29 * DAY_MS}&endTime=${NOW}`;

describe("a world with a past", () => {
  it("has trigger orders that were carried out, and others that were cancelled", async () => {
    const unified = await rowsOf("main", `v3/trade/history-strategy-orders?category=USDT-FUTURES&${month}&limit=100`, "list");
    expect(new Set(unified.map(({ status }) => status))).toEqual(new Set(["success", "cancelled"]));
    const plans = `v2/mix/order/orders-plan-history?productType=USDT-FUTURES&planType=profit_loss&${month}&limit=100`;
    const classic = await rowsOf("classic", plans, "entrustedList");
    expect(new Set(classic.map(({ planStatus }) => planStatus))).toEqual(new Set(["executed", "cancelled"]));
    for (const { triggerPrice, cTime, uTime } of classic) {
      expect(triggerPrice).toMatch(/^\d+(\.\d+)?$/);
      expect(Number.parseInt(cTime ?? "", 10)).toBeLessThan(Number.parseInt(uTime ?? "", 10));
    }
  });

  it("has orders and fills on margin, which came from somewhere", async () => {
    const orders = await rowsOf("main", `v3/trade/history-orders?category=MARGIN&${month}&limit=100`, "list");
    expect(orders.length).toBeGreaterThan(5);
    expect(new Set(orders.map(({ category, delegateType }) => `${category} ${delegateType}`))).toEqual(new Set(["MARGIN 0"]));
    expect((await rowsOf("main", `v3/trade/fills?category=MARGIN&${month}&limit=100`, "list")).length).toBeGreaterThan(5);
  });

  it("has withdrawals from an address of the exchange, with a tag if the chain needs one", async () => {
    const window = `startTime=${NOW - 29 * DAY_MS}&endTime=${NOW}&limit=100`;
    const rows = await rowsOf("broker", `v2/broker/subaccount-withdrawal?${window}`, "resultList");
    expect(rows.length).toBeGreaterThan(10);
    for (const { coin, tag, fromAddress, dest } of rows) {
      expect(tag).toMatch(coin === "XRP" ? /^\d{6}$/ : /^$/);
      expect(fromAddress).toMatch(dest === "on_chain" ? /^[0-9a-f]{34}$/ : /^$/);
    }
    expect(new Set(rows.map(({ coin }) => coin))).toContain("XRP");
  });

  it("has liquidations from time to time, of long positions when the price falls and of short ones when it rises", () => {
    const { listing } = sandbox.world.state.markets.of("USDT-FUTURES", "BTCUSDT");
    const first = Math.floor(NOW / 1_000);
    const heard = Array.from({ length: 3_600 }, (_, at) => first - at).flatMap((second) => {
      const liquidated = crowdLiquidation(listing, second);
      return liquidated === undefined ? [] : [{ second, ...liquidated }];
    });
    expect(heard.length).toBeGreaterThan(2);
    expect(heard.length).toBeLessThan(60);
    for (const { second, side, size } of heard) {
      const [from, to] = [listing.steps((second - 1) * 5, "mark"), listing.steps(second * 5, "mark")];
      expect(side).toBe(to < from ? "buy" : "sell");
      expect(size.gt("0")).toBe(true);
    }
  });
});

it("lists every fill and payment of its past as a change of a balance, of which none was ever below zero", () => {
  const { state } = createWorld({ clock: new ManualClock(NOW), seed: "records", hasPast: true });
  for (const uid of [MAIN_UID, CLASSIC_UID, BROKER_UID]) {
    const records = state.records.of(uid).filter(({ at }) => at < BEGAN);
    expect(records.filter(({ balance }) => balance.lt("0"))).toEqual([]);
    const traded = new Set(records.filter(({ cause: { kind } }) => kind === "trade").map(({ cause: { id } }) => id));
    const fills = state.orders.fills(uid).filter(({ at }) => at < BEGAN);
    expect(fills.length).toBeGreaterThan(10);
    for (const { orderId } of fills) expect(traded.has(orderId)).toBe(true);
    const sum = (amounts: readonly Exact[]) => amounts.reduce((total, amount) => total.plus(amount), d("0"));
    const funding = sum(records.filter(({ cause: { kind } }) => kind === "funding").map(({ amount }) => amount));
    const closed = state.positions.closed(uid).filter(({ updatedTime }) => updatedTime < BEGAN);
    expect(funding.eq(sum(closed.map(({ funding: paid }) => paid)))).toBe(true);
    // What they had at the start is what they have had for years, and what has changed since.
    const atStart = new Map(records.toReversed().map(({ wallet, coin, balance }) => [`${wallet} ${coin}`, balance]));
    const openings = records.filter(({ cause: { kind } }) => kind === "opening");
    expect(openings.every(({ at }) => at < BEGAN - 90 * DAY_MS)).toBe(true);
    expect(plain(atStart.get(`${uid}/${uid === MAIN_UID ? "unified" : "spot"} XRP`) ?? d("0"))).toBe(
      { [MAIN_UID]: "8200", [CLASSIC_UID]: "4100", [BROKER_UID]: "22000" }[uid],
    );
  }
});

it("is the same at any time of the first read, and in any order of reads", () => {
  const clock = new ManualClock(NOW);
  const made = () => createWorld({ clock, seed: "late", hasPast: true });
  const [early, late] = [made(), made()];
  const pastOf = ({ state: { orders, positions }, planStore }: typeof early, uid: string) => ({
    orders: orders.finished(uid).filter(({ createdTime }) => createdTime < BEGAN),
    fills: orders.fills(uid).filter(({ at }) => at < BEGAN),
    positions: positions.closed(uid).filter(({ updatedTime }) => updatedTime < BEGAN),
    plans: planStore.ended(uid).filter(({ createdTime }) => createdTime < BEGAN),
  });
  const expected = [MAIN_UID, CLASSIC_UID].map((uid) => pastOf(early, uid));
  expect(expected[1]?.positions.length).toBeGreaterThan(100);

  const sold = { uid: CLASSIC_UID, category: "USDT-FUTURES", symbol: "BTCUSDT", side: "sell", orderType: "market" } as const;
  late.orders.place({ ...sold, quantity: d("0.25"), reduceOnly: true });
  late.state.accounts.of(CLASSIC_UID).setHoldMode("hedge_mode");
  clock.advance(600_000);
  late.advance();
  expect([CLASSIC_UID, MAIN_UID].map((uid) => pastOf(late, uid)).reverse()).toEqual(expected);
  expect(late.state.positions.closed(CLASSIC_UID).filter(({ updatedTime }) => updatedTime >= BEGAN)).toHaveLength(1);
});

it("is the same past of loans, earn, conversions, withdrawals and deposits", () => {
  const clock = new ManualClock(NOW);
  const made = () => openExchange({ clock, seed: "late" });
  const [early, late] = [made(), made()];
  const lists = ({ services: { loans, sharkFin, savings, convert, broker, wallets } }: typeof early) => [
    () => loans.closed.of(MAIN_UID).filter(({ closedTime }) => closedTime < NOW),
    () => sharkFin.holdings.of(MAIN_UID),
    () => sharkFin.records.of(MAIN_UID).filter(({ createdTime }) => createdTime < BEGAN),
    () => savings.records.of(MAIN_UID).filter(({ createdTime }) => createdTime < BEGAN),
    () => convert.conversions.of(MAIN_UID).filter(({ createdTime }) => createdTime < NOW),
    () => broker.withdrawals.of(BROKER_UID),
    () => wallets.withdrawals.of(MAIN_UID),
    () => wallets.deposits.of(MAIN_UID),
  ];
  const expected = lists(early).map((list) => list());
  expect(expected.map((rows) => rows.length > 50)).toEqual(expected.map(() => true));

  const quotation = late.services.convert.quote(MAIN_UID, { fromCoin: "USDT", toCoin: "BTC", fromCoinSize: d("100") });
  late.services.convert.trade(MAIN_UID, quotation.traceId, quotation);
  clock.advance(2 * 3_600_000);
  late.world.advance();
  const read = lists(late)
    .reverse()
    .map((list) => list());
  expect(read.reverse()).toEqual(expected);
  expect(late.services.convert.conversions.of(MAIN_UID)[0]?.createdTime).toBe(NOW);
});
