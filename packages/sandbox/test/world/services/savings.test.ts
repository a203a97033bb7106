import { exact, plain } from "@exchange-graph/contract/decimal";
import { beforeEach, describe, expect, it } from "vitest";
import { SAVINGS_PRODUCTS, type SavingsHolding, type SavingsProduct, savingsInterest } from "../../../src/world/earn/savings.js";
import { openSavings } from "../../../src/world/earn/savingsOpening.js";
import { SavingsService } from "../../../src/world/earn/savingsService.js";
import { ALICE, type TestOffice, testOffice, testRandom } from "../../support/office.js";
import { refusalOf } from "../../support/refusal.js";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FLEXIBLE = "9001";
const FIXED = "9102";
const NEVER_EARLY = "9104";

let office: TestOffice;
let service: SavingsService;
beforeEach(() => {
  office = testOffice();
  service = new SavingsService(office);
});

function product(productId: string): SavingsProduct {
  const found = SAVINGS_PRODUCTS.find((one) => one.productId === productId);
  if (found === undefined) throw new Error(`no product ${productId}`);
  return found;
}
const hold = (productId: string, amount: string): void => service.open(ALICE, product(productId), exact(amount), office.now());
const holding = (productId: string): SavingsHolding | undefined =>
  service.holdings.of(ALICE).find((one) => one.product.productId === productId);
const redeem = (productId: string, amount: string): string =>
  refusalOf(() => service.redeem(ALICE, { productId, periodType: product(productId).periodType, amount: exact(amount) }));
const records = (): readonly string[] => service.records.of(ALICE).map(({ type, amount }) => `${type} ${plain(amount)}`);

describe("savings interest", () => {
  it("is paid tier by tier", () => {
    const of = (amount: string) => plain(savingsInterest(product(FLEXIBLE), exact(amount), 365));
    expect([of("365"), of("300"), of("0"), of("200000")]).toEqual(["28.56", "27", "0", "2419.8"]);
  });

  it("is cut to eight places", () => {
    expect(plain(savingsInterest(product(FLEXIBLE), exact("1"), 1))).toBe("0.00024657");
  });
});

describe("redemption", () => {
  it("gives coins back from the holding to the user's funds", () => {
    hold(FLEXIBLE, "100");
    expect(plain(office.funds(ALICE, "USDT"))).toBe("1000");
    expect(redeem(FLEXIBLE, "12.5")).toBe("accepted");
    expect(plain(office.funds(ALICE, "USDT"))).toBe("1012.5");
    expect(plain(holding(FLEXIBLE)?.amount ?? exact("0"))).toBe("87.5");
    expect(records()).toEqual(["redeem 12.5", "subscribe 100"]);
    expect(office.unbalanced()).toEqual([]);
  });

  it("of everything ends the holding", () => {
    hold(FLEXIBLE, "100");
    expect(redeem(FLEXIBLE, "100")).toBe("accepted");
    expect(service.holdings.of(ALICE)).toEqual([]);
  });

  it("is refused until more than a minute has passed since the last one of any product", () => {
    hold(FLEXIBLE, "100");
    hold(FIXED, "100");
    redeem(FLEXIBLE, "1");
    expect(redeem(FIXED, "1")).toBe("59044");
    office.clock.advance(MINUTE_MS);
    expect(redeem(FLEXIBLE, "1")).toBe("59044");
    office.clock.advance(1);
    expect(redeem(FLEXIBLE, "1")).toBe("accepted");
  });

  it("that was refused does not count as one", () => {
    hold(FLEXIBLE, "100");
    expect(redeem(FLEXIBLE, "1000")).toBe("59011");
    expect(redeem(FLEXIBLE, "1")).toBe("accepted");
  });

  it("is refused beyond what is held, and below the least", () => {
    hold(FLEXIBLE, "100");
    expect([redeem(FLEXIBLE, "100.00000001"), redeem(FLEXIBLE, "0.09")]).toEqual(["59011", "59033"]);
    expect(redeem(FLEXIBLE, "0.1")).toBe("accepted");
  });

  it("is refused for a product that is not held, not offered, or of another term", () => {
    expect(redeem(FLEXIBLE, "1")).toBe("59013");
    const unknown = { productId: "9999", periodType: "flexible", amount: exact("1") } as const;
    const otherTerm = { productId: FLEXIBLE, periodType: "fixed", amount: exact("1") } as const;
    expect([refusalOf(() => service.redeem(ALICE, unknown)), refusalOf(() => service.redeem(ALICE, otherTerm))]).toEqual([
      "59013",
      "59013",
    ]);
  });

  it("of a fixed term is refused where it may not end early", () => {
    hold(NEVER_EARLY, "0.1");
    hold(FIXED, "100");
    expect(redeem(NEVER_EARLY, "0.1")).toBe("59037");
    expect(redeem(FIXED, "100")).toBe("accepted");
  });

  it("of a fixed term takes the holding that is named", () => {
    hold(FIXED, "100");
    office.clock.advance(1);
    hold(FIXED, "50");
    const [, older] = service.holdings.of(ALICE);
    const order = { productId: FIXED, periodType: "fixed", orderId: older?.orderId, amount: exact("100") } as const;
    expect(refusalOf(() => service.redeem(ALICE, order))).toBe("accepted");
    expect(service.holdings.of(ALICE).map(({ amount }) => plain(amount))).toEqual(["50"]);
  });
});

describe("the passing of time", () => {
  it("adds the interest of each full day to a flexible holding", () => {
    hold(FLEXIBLE, "365");
    office.clock.advance(DAY_MS - 1);
    service.review();
    expect(plain(holding(FLEXIBLE)?.amount ?? exact("0"))).toBe("365");
    office.clock.advance(DAY_MS + 1);
    service.review();
    expect(records()).toEqual(["pay_interest 0.07825172", "pay_interest 0.07824657", "subscribe 365"]);
    expect(plain(holding(FLEXIBLE)?.amount ?? exact("0"))).toBe("365.15649829");
    expect(plain(holding(FLEXIBLE)?.totalProfit ?? exact("0"))).toBe("0.15649829");
    expect(office.unbalanced()).toEqual([]);
  });

  it("ends a fixed term with principal and interest", () => {
    hold(FIXED, "365");
    office.clock.advance(30 * DAY_MS - 1);
    service.review();
    expect(service.holdings.of(ALICE)).toHaveLength(1);
    office.clock.advance(1);
    service.review();
    expect(service.holdings.of(ALICE)).toEqual([]);
    expect(records()).toEqual(["redeem 365", "pay_interest 1.65", "subscribe 365"]);
    expect(plain(office.funds(ALICE, "USDT"))).toBe("1366.65");
    expect(office.unbalanced()).toEqual([]);
  });
});

describe("the opening", () => {
  it("has three pages of the list's own size of fixed holdings, and of every kind of record", () => {
    openSavings(service, ALICE, testRandom());
    const isFixed = ({ product: { periodType } }: { readonly product: SavingsProduct }) => periodType === "fixed";
    expect(service.holdings.of(ALICE).filter(isFixed).length).toBeGreaterThan(60);
    for (const type of ["subscribe", "redeem", "pay_interest"]) {
      expect(service.records.of(ALICE).filter((record) => isFixed(record) && record.type === type).length).toBeGreaterThan(60);
    }
    expect(
      service.records.of(ALICE).filter((record) => !isFixed(record) && record.type === "pay_interest").length,
    ).toBeGreaterThan(60);
    expect(office.unbalanced()).toEqual([]);
  });
});
