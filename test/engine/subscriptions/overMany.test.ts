import { exact, plain, truncated } from "@exchange-graph/contract/decimal";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox";
import { loanToValue } from "@exchange-graph/sandbox/world/loan/loanTerms";
import { expect, it } from "vitest";
import { Fault } from "../../../src/datasources/index.js";
import type { Listener, StreamEvent } from "../../../src/datasources/streams/index.js";
import { overMany, type SubjectEvent } from "../../../src/datasources/streams/overMany.js";
import { START } from "../../datasources/streams/support/followed.js";
import { liveGateway, type ReceivedEvent } from "../../support/gateway/liveGateway.js";
import { startedOnce } from "../../support/started.js";

const gateway = startedOnce(() => liveGateway());

const STATUS = "stream { kind time isStale missed }";
const SYMBOLS = ["BTCUSDT", "ETHUSDT", "SOLUSDT"];

/** Expects that the stream fields in an event's data equal its extensions. */
function expectSaid({ extensions }: ReceivedEvent, stream: unknown): void {
  const { kind, time, stale } = extensions?.stream ?? {};
  expect(stream).toEqual({ kind: kind?.toUpperCase(), time, isStale: stale, missed: extensions?.missed ?? 0 });
}

it("tickers of several symbols: first all, then each that changes, and each is conflated separately", async () => {
  const fields = `${STATUS} category symbol ticker { symbol lastPrice }`;
  const query = `subscription ($symbols: [String!]!, $pace: PaceInput) {
    tickers(category: USDT_FUTURES, symbols: $symbols, pace: $pace) { ${fields} }
  }`;
  const slow = { mode: "LATEST", everyMs: 5_000 };
  const paced = gateway.subscribe(gateway.client(), query, { symbols: SYMBOLS, pace: slow });
  await gateway.until(() => paced.events.length >= SYMBOLS.length);
  const symbolsOf = (events: readonly ReceivedEvent[]) => events.map(({ data }) => data.tickers.symbol);
  expect(new Set(symbolsOf(paced.events.slice(0, 3)))).toEqual(new Set(SYMBOLS));
  const late = gateway.subscribe(gateway.client(), query, { symbols: SYMBOLS, pace: slow });
  await gateway.until(() => late.events.length >= SYMBOLS.length);
  // A new subscriber receives the state of each.
  expect(new Set(symbolsOf(late.events.slice(0, 3)))).toEqual(new Set(SYMBOLS));
  const before = paced.events.length;
  await gateway.pass(20_000);
  const events = paced.events.slice(before);
  for (const symbol of SYMBOLS) {
    const own = events.filter(({ data }) => data.tickers.symbol === symbol);
    expect(own.length).toBeGreaterThanOrEqual(3);
    expect(own.length).toBeLessThanOrEqual(6);
    expect(own.reduce((sum, { data }) => sum + data.tickers.stream.missed, 0)).toBeGreaterThan(3);
  }
  for (const event of [...paced.events, ...late.events]) {
    expectSaid(event, event.data.tickers.stream);
    expect(event.data.tickers.ticker.symbol).toBe(event.data.tickers.symbol);
  }
  paced.leave();
  late.leave();
});

it("a symbol that the exchange does not know fails by itself", async () => {
  const query = `subscription { tickers(category: SPOT, symbols: ["NOSUCHPAIR", "BTCUSDT"], pace: { mode: ALL }) { ${STATUS} symbol ticker { symbol } } }`;
  const received = gateway.subscribe(gateway.client(), query);
  const failed = ({ events } = received) => events.find(({ errors }) => errors !== undefined);
  await gateway.until(() => failed() !== undefined && received.last.data.tickers.symbol === "BTCUSDT");
  expect(failed()).toMatchObject({
    data: { tickers: { symbol: "NOSUCHPAIR", ticker: null, stream: { kind: "UPDATE", isStale: true } } },
    errors: [{ path: ["tickers", "ticker"], extensions: { code: "BAD_USER_INPUT", violations: [{ argument: "symbols" }] } }],
  });
  expect(received.end).toBe("open");
  const later = gateway.subscribe(gateway.client(), query);
  await gateway.until(() => failed(later)?.data.tickers.symbol === "NOSUCHPAIR");
  received.leave();
  later.leave();
});

it("orders, positions and holdings of several accounts: each event names its account, and says what is gone", async () => {
  const client = gateway.client();
  const of = (field: string, rows: string) =>
    gateway.subscribe(
      client,
      `subscription { ${field}(accounts: ["main", "classic"], pace: { mode: ALL }) { ${STATUS} account { name } ${rows} } }`,
    );
  const orders = of("orders", "orders { id orderId status account { name } } gone");
  const all = [
    orders,
    of("positions", "positions { account { name } } gone"),
    of("planOrders", "planOrders { account { name } } gone"),
    of("accountUpdates", "balances { account { name } }"),
    of("loans", "loans { account { name } } gone"),
  ];
  const namesIn = ({ events }: (typeof all)[number]) =>
    new Set(events.map(({ data }) => Object.values<{ account: { name: string } }>(data)[0]?.account.name));
  await gateway.until(() => all.every((received) => namesIn(received).size === 2));
  const placed = await gateway.ask(`mutation { placeOrder(input: {
    account: "classic", idempotencyKey: "over-many", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, price: "20000", qty: "0.001"
  }) { order { id orderId } } }`);
  const { id, orderId } = placed.data.placeOrder.order;
  await gateway.ask(`mutation { cancelOrder(input: {
    account: "classic", idempotencyKey: "over-many-2", category: SPOT, symbol: "BTCUSDT", by: { orderId: "${orderId}" }
  }) { outcome } }`);
  const emitted = () => orders.events.filter(({ data }) => data.orders.gone.includes(id));
  await gateway.until(() => emitted().length > 0);
  expect(emitted()[0]?.data.orders).toMatchObject({ account: { name: "classic" }, orders: [{ id, status: "CANCELLED" }] });
  for (const received of all)
    for (const event of received.events) {
      const [payload] = Object.values<Record<string, unknown> & { account: { name: string } }>(event.data);
      expectSaid(event, payload?.stream);
      for (const rows of Object.values(payload ?? {}))
        if (Array.isArray(rows)) for (const row of rows) if (row.account) expect(row.account).toEqual(payload?.account);
    }
  for (const { leave } of all) leave();
});

it("names accounts in one of two ways, and some at least", async () => {
  const refusalOf = async (args: string) => {
    const received = gateway.subscribe(gateway.client(), `subscription { orders(${args}) { gone } }`);
    await gateway.until(() => received.end !== "open" || received.events.length > 0);
    return received.events[0]?.errors?.[0]?.message ?? JSON.stringify(received.end);
  };
  expect(await refusalOf('accounts: ["main"], account: "main"')).toContain("must not be given beside account");
  expect(await refusalOf("accounts: []")).toContain("from 1 to 100");
  expect(await refusalOf('accounts: ["main", "nobody"]')).toContain("must be the name of an account");
});

it("loans are valued at the live prices, by the exchange's own formula", async () => {
  const lender = await liveGateway("v3", {}, START, SANDBOX_CREDENTIALS, true);
  const received = lender.subscribe(
    lender.client(),
    `subscription { loans(accounts: ["main", "classic"], pace: { mode: ALL }) {
      ${STATUS} account { name } gone
      loans {
        id loanAmount interestAmount pledgeAmount loanPrice pledgePrice
        currentLtv marginCallLtv liquidationLtv distanceToMarginCall distanceToLiquidation
      }
    } }`,
  );
  await lender.until(() => received.events.length > 20);
  const rows = received.events.flatMap(({ data }) => data.loans.loans);
  expect(new Set(rows.map(({ pledgePrice }) => pledgePrice)).size).toBeGreaterThan(5);
  for (const row of rows) {
    const owed = exact(row.loanAmount).plus(row.interestAmount).times(row.loanPrice);
    // The exchange writes percentages with two decimals.
    const percent = loanToValue(owed, exact(row.pledgeAmount).times(row.pledgePrice));
    expect(plain(truncated(exact(row.currentLtv), 4))).toBe(plain(percent.div("100")));
    const near = (limit: string) => 1 - Number(row.currentLtv) / Number(limit);
    expect(Math.abs(Number(row.distanceToMarginCall) - near(row.marginCallLtv))).toBeLessThan(0.00001);
    expect(Math.abs(Number(row.distanceToLiquidation) - near(row.liquidationLtv))).toBeLessThan(0.00001);
  }
  await lender.close();
});

it("ends with the last of its streams, and lets go of all of them", () => {
  const said: StreamEvent<SubjectEvent<string, number>>[] = [];
  const faults: Fault[] = [];
  const opened = new Map<string, Listener<number>>();
  const left: string[] = [];
  const sources = ["a", "b"].map((about) => ({
    about,
    subject: about,
    listen: (listener: Listener<number>) => {
      opened.set(about, listener);
      return () => left.push(about);
    },
  }));
  const stop = overMany(sources, { next: (event) => said.push(event), failed: (fault) => faults.push(fault) }, () => 7);
  const fault = new Fault("EXCHANGE_TIMEOUT", "late");
  opened.get("a")?.failed(fault);
  opened.get("b")?.next({ kind: "update", time: 8, stale: false, value: 1 });
  expect(said.map(({ about, value }) => [about, value.value])).toEqual([
    ["a", fault],
    ["b", 1],
  ]);
  opened.get("b")?.failed(fault);
  expect(faults).toEqual([fault]);
  stop();
  expect(left).toEqual([]);
});

it("keeps the position on each of its streams, whichever of them has an event", () => {
  const said: StreamEvent<SubjectEvent<string, number>>[] = [];
  const opened = new Map<string, Listener<number>>();
  const sources = ["a", "b", "c"].map((about) => ({
    about,
    subject: about,
    listen: (listener: Listener<number>) => {
      opened.set(about, listener);
      return () => undefined;
    },
  }));
  const listening = (after: string | undefined) => {
    overMany(sources, { next: (event) => said.push(event), failed: () => undefined, after }, () => 7);
    for (const [about, { followed }] of opened) followed?.(() => (about === "c" ? undefined : `now-${about}`));
    opened.get("a")?.next({ kind: "update", time: 8, stale: false, value: 1, position: "2" });
    return said.pop()?.position;
  };
  expect(listening(undefined)).toBe("a:2,b:now-b");
  expect(listening("a:1,b:1,c:1")).toBe("a:2,b:1,c:1");
  opened.get("b")?.next({ kind: "update", time: 8, stale: false, value: 1, position: "3" });
  opened.get("c")?.caughtUp?.();
  opened.get("a")?.next({ kind: "update", time: 8, stale: false, value: 1, position: "4" });
  expect(said.map(({ position }) => position)).toEqual(["a:2,b:3,c:1", "a:4,b:3"]);
});
