import { exact, plain } from "@exchange-graph/contract/decimal";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { type ConversionTerms, ConvertService, type Quotation, type Wish } from "../../../src/world/convert/convertService.js";
import { openConversions } from "../../../src/world/convert/opening.js";
import { ALICE, BOB, type TestOffice, testOffice, testRandom } from "../../support/office.js";
import { refusalOf } from "../../support/refusal.js";

let office: TestOffice;
let service: ConvertService;
beforeEach(() => {
  office = testOffice();
  service = new ConvertService(office, ["BTC", "ETH", "SOL", "TRX", "USDC", "USDT"]);
});

const quote = (wish: Partial<Wish> = {}): Quotation =>
  service.quote(ALICE, { fromCoin: "USDT", toCoin: "BTC", fromCoinSize: exact("100"), ...wish });
const trade = (quotation: Quotation, change: Partial<ConversionTerms> = {}, uid = ALICE): string =>
  refusalOf(() => service.trade(uid, quotation.traceId, { ...quotation, ...change }));

describe("a quotation", () => {
  it("gives the market price less what the exchange keeps", () => {
    const { price, toCoinSize } = quote();
    expect([plain(price), plain(toCoinSize)]).toEqual(["0.00001665", "0.001665"]);
  });

  it("can be asked for the amount that is received", () => {
    const { fromCoinSize, toCoinSize } = quote({ fromCoinSize: undefined, toCoinSize: exact("0.001665") });
    expect([plain(fromCoinSize), plain(toCoinSize)]).toEqual(["100", "0.001665"]);
  });

  it("is never better for the user than the price, whichever of the two amounts is given", () => {
    const amounts = fc
      .integer({ min: 100_000_000, max: 90_000_000_000 })
      .map((units) => exact(String(units)).times("0.00000001"));
    const pairs = fc.constantFrom(["USDT", "ETH"] as const, ["ETH", "USDT"] as const, ["TRX", "ETH"] as const);
    fc.assert(
      fc.property(amounts, pairs, fc.boolean(), (size, [fromCoin, toCoin], givesFrom) => {
        const sizes = givesFrom ? { fromCoinSize: size } : { fromCoinSize: undefined, toCoinSize: size };
        const worth = size.times(office.usdtPrice(givesFrom ? fromCoin : toCoin));
        fc.pre(worth.gt("2") && worth.lt("400000"));
        const { fromCoinSize, toCoinSize, price } = quote({ fromCoin, toCoin, ...sizes });
        expect(toCoinSize.lte(fromCoinSize.times(price))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ["a coin that cannot be converted", { toCoin: "XMR" }, "40034"],
    ["a coin into itself", { toCoin: "USDT" }, "12004"],
    ["less than the least", { fromCoinSize: exact("0.99") }, "12006"],
    ["more than the most", { fromCoinSize: exact("500000.01") }, "12007"],
  ] satisfies [string, Partial<Wish>, string][])("is refused for %s", (_, wish, code) => {
    expect(refusalOf(() => quote(wish))).toBe(code);
  });
});

describe("a conversion", () => {
  it("exchanges the coins at the quoted price", () => {
    expect(trade(quote())).toBe("accepted");
    expect(plain(office.funds(ALICE, "USDT"))).toBe("900");
    expect(plain(office.funds(ALICE, "BTC"))).toBe("1000.001665");
    expect(service.conversions.of(ALICE)).toHaveLength(1);
    expect(office.unbalanced()).toEqual([]);
  });

  it("holds to the quotation when the market has moved", () => {
    const quotation = quote();
    office.prices.set("BTC", exact("90000"));
    expect(trade(quotation)).toBe("accepted");
    expect(plain(office.funds(ALICE, "BTC"))).toBe("1000.001665");
  });

  it("takes a quotation for eight seconds", () => {
    const [first, second] = [quote(), quote()];
    office.clock.advance(7_999);
    expect(trade(first)).toBe("accepted");
    office.clock.advance(1);
    expect(trade(second)).toBe("12021");
  });

  it("takes a quotation once", () => {
    const quotation = quote();
    expect([trade(quotation), trade(quotation)]).toEqual(["accepted", "12021"]);
    expect(plain(office.funds(ALICE, "USDT"))).toBe("900");
  });

  it("accepts a quotation only from the user who requested it", () => {
    expect(trade(quote(), {}, BOB)).toBe("12021");
  });

  it.each([
    ["the price", { price: exact("0.00002") }],
    ["the amount given", { fromCoinSize: exact("99") }],
    ["the amount received", { toCoinSize: exact("0.002") }],
    ["the coin received", { toCoin: "ETH" }],
  ] satisfies [string, Partial<ConversionTerms>][])(
    "is refused when %s is not the quoted one, and the quotation stays valid",
    (_, change) => {
      const quotation = quote();
      expect(trade(quotation, change)).toBe("12022");
      expect(trade(quotation, { fromCoinSize: exact("100.000") })).toBe("accepted");
    },
  );

  it("is refused without the coins, and the quotation stays valid", () => {
    const quotation = quote({ fromCoinSize: exact("1000.5") });
    expect(trade(quotation)).toBe("43012");
    expect(plain(office.funds(ALICE, "USDT"))).toBe("1000");
  });
});

describe("the opening", () => {
  it("has three pages of the list's own size of conversions", () => {
    openConversions(service, ALICE, testRandom());
    expect(service.conversions.of(ALICE).length).toBeGreaterThan(60);
  });
});
