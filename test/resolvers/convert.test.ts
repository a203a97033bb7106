import { describe, expect, it } from "vitest";
import { sharedGraph } from "./support/sharedGraph.js";

const live = sharedGraph();

const RECORDS = `query ($first: Int, $after: String) { account(name: "main") {
  convertRecords(first: $first, after: $after) {
    nodes { recordId fromCoin fromAmount toCoin toAmount price fee createdTime }
    pageInfo { hasNextPage endCursor }
  }
} }`;

describe("convert", () => {
  it("shows which coins can be converted, and their limits", async () => {
    const { data, calls } = await live.answer(
      '{ account(name: "main") { convertCurrencies { coin available minAmount maxAmount } } }',
    );
    expect(calls).toEqual(["convertCurrencies"]);
    const { convertCurrencies } = data.account;
    expect(convertCurrencies.find(({ coin }: { coin: string }) => coin === "USDT")).toEqual({
      coin: "USDT",
      available: expect.stringMatching(/^\d+(\.\d+)?$/),
      minAmount: "1",
      maxAmount: "500000",
    });
  });

  it("lists a conversion in the records immediately", async () => {
    const quote = `{ account(name: "main") { convertQuote(fromCoin: "USDT", toCoin: "BTC", amount: { from: "100.123456789012" }) {
      traceId fromCoin fromAmount toCoin toAmount price expireTime
    } } }`;
    await live.run(RECORDS, { first: 1 });
    const { expireTime, ...input } = (await live.run(quote)).data.account.convertQuote;
    expect(expireTime).toBe(new Date(live.now() + 8_000).toISOString());
    const { data } = await live.while(
      live.run("mutation ($input: ConvertInput!) { convert(input: $input) { outcome } }", {
        input: { account: "main", ...input },
      }),
    );
    expect(data.convert.outcome).toBe("ACCEPTED");
    const [newest] = (await live.run(RECORDS, { first: 1 })).data.account.convertRecords.nodes;
    const { traceId: _, ...terms } = input;
    expect(newest).toMatchObject({ ...terms, recordId: expect.stringMatching(/^\d+$/) });
    expect(newest.fromAmount).toBe("100.123456789012");
  });

  it("pages through the records, newest first", async () => {
    const whole = (await live.run(RECORDS, { first: 500 })).data.account.convertRecords.nodes;
    const times = whole.map(({ createdTime }: { createdTime: string }) => createdTime);
    expect(whole.length).toBeGreaterThan(20);
    expect(times).toEqual(times.toSorted().reverse());
    live.nextMinute();
    const pages = await live.pages(RECORDS, (data) => data.account.convertRecords, { first: 9 });
    const paged = pages.flatMap(({ nodes }) => nodes);
    expect(paged).toEqual(whole.slice(0, paged.length));
  });
});
