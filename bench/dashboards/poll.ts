import type { DataSource } from "../../src/datasources/index.js";
import { cancelOrder } from "../../src/datasources/writes/mutations/cancelOrder.js";
import { placeOrder } from "../../src/datasources/writes/mutations/placeOrder.js";
import { writesOn } from "../../test/support/writesOn.js";
import { executorOf, VirtualExchange } from "./virtualExchange.js";

/** A polling load. */
export interface Polling {
  readonly document: string;
  /** Each sends a request once a second, even if the previous one is still open. They are spread evenly over the second. */
  readonly dashboards: number;
  readonly seconds: number;
  /** Orders placed and cancelled per second during the load. */
  readonly cancelsPerSecond: number;
}

/** Results of a polling load. Calls are counted by the exchange. */
export interface Polled {
  readonly answers: number;
  /** Errors in answers, by their code. */
  readonly errors: Readonly<Record<string, number>>;
  /** Calls that the exchange refused because of a rate limit. */
  readonly refused: number;
  /** Calls that exceeded a rate limit in any window, whether they were refused or not. */
  readonly violations: number;
  /** Calls that the exchange received during the load, by endpoint. */
  readonly calls: Readonly<Record<string, number>>;
  /** Wait of each cancel for rate budget, in ms, ascending. */
  readonly cancelWaits: readonly number[];
}

/** Runs dashboards that poll one document. Each request is executed separately; only the data source is shared. */
export async function poll({ document, dashboards, seconds, cancelsPerSecond }: Polling): Promise<Polled> {
  const ask = executorOf(document);
  const cancelWaits: number[] = [];
  const world = await VirtualExchange.open(({ endpoint, timing }) => {
    if (endpoint === "cancelOrder" && timing !== undefined) cancelWaits.push(timing.waitMs);
  });
  const { clock, sandbox, exchange } = world;
  const errors: Record<string, number> = {};
  const underWay: Promise<void>[] = [];
  const begin = clock.now();
  const repeat = (offsetMs: number, periodMs: number, act: (turn: number) => Promise<void>): void => {
    const book = (turn: number): void => {
      const due = offsetMs + turn * periodMs;
      if (due >= seconds * 1000) return;
      clock.after(begin + due - clock.now(), () => {
        underWay.push(act(turn));
        book(turn + 1);
      });
    };
    book(0);
  };
  let answers = 0;
  for (let one = 0; one < dashboards; one++)
    repeat((one * 1000) / dashboards, 1000, async () => {
      for (const code of await ask(exchange)) errors[code] = (errors[code] ?? 0) + 1;
      answers++;
    });
  if (cancelsPerSecond > 0) repeat(500, 1000 / cancelsPerSecond, (turn) => placeAndCancel(exchange, `bench-${turn}`));
  await world.pass(seconds * 1000);
  const counts = Object.entries(sandbox.calls.counts());
  await world.until(Promise.all(underWay));
  const refused = Object.values(sandbox.calls.counts()).reduce((sum, { limited }) => sum + limited, 0);
  const { violations } = sandbox.limits;
  await world.close();
  return {
    answers,
    errors,
    refused,
    violations,
    calls: Object.fromEntries(counts.map(([endpoint, { total }]) => [endpoint, total])),
    cancelWaits: cancelWaits.sort((a, b) => a - b),
  };
}

/** Places a limit order below the market, and cancels it. */
async function placeAndCancel(exchange: DataSource, clientOid: string): Promise<void> {
  const main = exchange.account("main");
  if (main === undefined) throw new Error("the sandbox has no such account");
  const order = { category: "SPOT", symbol: "BTCUSDT", clientOid } as const;
  const placed = await placeOrder(writesOn(exchange), main, {
    ...order,
    side: "buy",
    orderType: "limit",
    qty: "0.001",
    price: "55000",
  });
  const cancelled = await cancelOrder(writesOn(exchange), main, order);
  for (const { outcome } of [placed, cancelled]) if (outcome !== "ACCEPTED") throw new Error(`an order was ${outcome}`);
}
