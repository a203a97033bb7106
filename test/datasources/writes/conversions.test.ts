import { convertQuote } from "@exchange-graph/contract/convert";
import { describe, expect, it } from "vitest";
import { convert } from "../../../src/datasources/writes/mutations/funds.js";
import { startedOnce } from "../../support/started.js";
import { startLiveExchange, UID } from "./support/liveExchange.js";

const live = startedOnce(() => startLiveExchange());

const AT_ONCE = [100, 110, 120, 130, 140];

async function quoted(fromAmount: string) {
  const call = live.exchange.client.call(
    convertQuote,
    { fromCoin: "USDT", toCoin: "BTC", fromCoinSize: fromAmount },
    live.account("main"),
    live.clock.now() + 5_000,
  );
  const { fromCoin, toCoin, toAmount, price, traceId } = (await live.during(call)).data;
  return { fromCoin, fromAmount, toCoin, toAmount, price, traceId };
}
type Quoted = Awaited<ReturnType<typeof quoted>>;
const converted = (quote: Quoted) => convert(live.writes(), live.account("main"), quote);

/** Five at the same moment, of which two answers are lost. */
async function round(sizes: readonly number[]) {
  const quotes: Quoted[] = [];
  for (const size of sizes) quotes.push(await quoted(String(size)));
  live.sandbox.faults.add({ endpoint: "convertTrade", fault: { kind: "lost-reply" }, times: 2 });
  const results = await live.during(Promise.all(quotes.map(converted)));
  live.sandbox.faults.clear();
  await live.pass(1_000);
  return results;
}

describe("conversions that reach the exchange together", () => {
  it("are none of them called rejected because another one is as old to the millisecond", async () => {
    const outcomes: (string | null)[] = [];
    for (let number = 0; number < 12; number++) {
      const results = await round(AT_ONCE.map((size) => size + number));
      outcomes.push(...results.map(({ outcome }) => outcome));
    }
    expect(outcomes).toEqual(Array.from({ length: 60 }, () => "ACCEPTED"));
  });

  it("of equal coins and amounts each get a separate answer, when all of them took place", async () => {
    const results = await round([77, 77, 77, 77, 77]);
    expect(results.map(({ outcome }) => outcome)).not.toContain("REJECTED");
    await live.pass(45_000);
    const entries = await live.exchange.writes.journal.page(UID.main, undefined, 5);
    expect(entries.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => "ACCEPTED"));
  });
});
