import { exact, plain } from "@exchange-graph/contract/decimal";
import { beforeEach, describe, expect, it } from "vitest";
import {
  interestOf,
  offerStatusAt,
  type SharkFinHolding,
  sharkFinOffers,
  stagesOf,
  statusAt,
} from "../../../src/world/earn/sharkFin.js";
import { openSharkFin } from "../../../src/world/earn/sharkFinOpening.js";
import { SharkFinService } from "../../../src/world/earn/sharkFinService.js";
import { ALICE, NOON, type TestOffice, testOffice, testRandom } from "../../support/office.js";

let office: TestOffice;
let service: SharkFinService;
beforeEach(() => {
  office = testOffice();
  service = new SharkFinService(office);
});

const holding = (terms: Partial<SharkFinHolding> = {}): SharkFinHolding => ({
  productId: office.ids.next(),
  uid: ALICE,
  productName: "USDT/BTC",
  productCoin: "BTC",
  subscribeCoin: "USDT",
  trend: "up",
  amount: exact("365"),
  days: 7,
  rate: exact("10"),
  closedEarly: undefined,
  createdTime: NOON,
  ...terms,
});
const records = (): readonly string[] => service.records.of(ALICE).map(({ type, amount }) => `${type} ${plain(amount)}`);

describe("a shark-fin holding", () => {
  it("runs through its states by the clock", () => {
    const one = holding();
    const { wait, interestStart, settle, redeem } = stagesOf(one);
    const at = [NOON, wait - 1, wait, interestStart, settle - 1, settle, redeem - 1, redeem].map((now) => statusAt(one, now));
    expect(at).toEqual(["running", "running", "wait_interest", "wait_settle", "wait_settle", "settle", "settle", "redeem"]);
    expect(statusAt({ ...one, closedEarly: "sell_out" }, NOON)).toBe("sell_out");
  });

  it("pays interest at settlement and the principal a day later, each once", () => {
    const one = holding();
    const { settle, redeem } = stagesOf(one);
    service.open(one);
    expect(plain(office.funds(ALICE, "USDT"))).toBe("1000");
    office.clock.advance(settle - 1 - NOON);
    service.review();
    expect(records()).toEqual(["subscription 365"]);
    office.clock.advance(1);
    service.review();
    service.review();
    expect(plain(interestOf(one))).toBe("0.7");
    expect(records()).toEqual(["interest 0.7", "subscription 365"]);
    office.clock.advance(redeem - settle);
    service.review();
    service.review();
    expect(records()).toEqual(["redemption 365", "interest 0.7", "subscription 365"]);
    expect(plain(office.funds(ALICE, "USDT"))).toBe("1365.7");
    expect(office.unbalanced()).toEqual([]);
  });

  it("is paid in full without reads in between", () => {
    service.open(holding());
    office.clock.advance(stagesOf(holding()).redeem - NOON);
    service.review();
    expect(records()).toEqual(["redemption 365", "interest 0.7", "subscription 365"]);
    expect(office.unbalanced()).toEqual([]);
  });
});

describe("the opening", () => {
  beforeEach(() => openSharkFin(service, ALICE, testRandom()));

  it("has more than two pages of the largest size under each filter and of each kind of record", () => {
    const settled = service.holdings.of(ALICE).filter((one) => ["settle", "redeem"].includes(statusAt(one, NOON)));
    expect(settled.length).toBeGreaterThan(200);
    expect(service.holdings.of(ALICE).length - settled.length).toBeGreaterThan(200);
    for (const type of ["subscription", "redemption", "interest"]) {
      expect(service.records.of(ALICE).filter((record) => record.type === type).length).toBeGreaterThan(200);
    }
  });

  it("has holdings in every state", () => {
    const states = new Set(service.holdings.of(ALICE).map((one) => statusAt(one, NOON)));
    expect([...states].sort()).toEqual(["pause", "redeem", "running", "sell_out", "settle", "wait_interest", "wait_settle"]);
  });

  it("has nothing left to pay for what is settled, and pays what falls due", () => {
    const before = service.records.of(ALICE).length;
    office.clock.advance(stagesOf(holding()).redeem - NOON);
    service.review();
    const held = service.holdings.of(ALICE).filter((one) => one.createdTime > NOON - 11 * 86_400_000);
    expect(service.records.of(ALICE).length - before).toBeLessThanOrEqual(2 * held.length);
    expect(service.holdings.of(ALICE).every((one) => statusAt(one, office.now()) === "redeem")).toBe(true);
    expect(office.unbalanced()).toEqual([]);
  });
});

describe("shark-fin offers", () => {
  it("fill three pages of the default size, newest first, with unique ids", () => {
    const ids = sharkFinOffers("USDT", NOON).map(({ productId }) => Number.parseInt(productId, 10));
    expect(ids.length).toBeGreaterThan(60);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
  });

  it("have every state", () => {
    expect([sharkFinOffers("__proto__", NOON), sharkFinOffers("constructor", NOON)]).toEqual([[], []]);
    const states = new Set(sharkFinOffers("USDT", NOON).map((offer) => offerStatusAt(offer, NOON)));
    expect([...states].sort()).toEqual([
      "in_progress",
      "interest_pending",
      "not_started",
      "redeemed",
      "settle_pending",
      "settled",
    ]);
  });

  it("are the same whenever they are looked at", () => {
    const [today] = sharkFinOffers("USDC", NOON).filter(({ createdTime }) => createdTime <= NOON);
    const later = sharkFinOffers("USDC", NOON + 5 * 86_400_000).find(({ productId }) => productId === today?.productId);
    expect(later).toEqual(today);
  });

  it("are none for a coin without shark-fin products", () => {
    expect(sharkFinOffers("SHIB", NOON)).toEqual([]);
  });
});
