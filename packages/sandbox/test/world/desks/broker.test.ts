import { exact, plain } from "@exchange-graph/contract/decimal";
import { beforeEach, describe, expect, it } from "vitest";
import { BrokerDesk } from "../../../src/world/broker/brokerDesk.js";
import { openSubAccounts } from "../../../src/world/broker/opening.js";
import { houseWallet, walletOf } from "../../../src/world/ledger.js";
import { statusAt, type WithdrawalOrder } from "../../../src/world/wallet/withdrawals.js";
import { ALICE, BOB, CAROL, type TestOffice, testOffice, testRandom } from "../../support/office.js";
import { refusalOf } from "../../support/refusal.js";

let office: TestOffice;
let desk: BrokerDesk;
let subUid: string;
beforeEach(() => {
  office = testOffice();
  desk = new BrokerDesk(office, office.accounts);
  openSubAccounts(desk, CAROL, testRandom());
  subUid = desk.subAccounts(CAROL)[0]?.uid ?? "";
  office.ledger.mint(walletOf(subUid, "spot"), "USDT", exact("100000"));
});

const order = (terms: Partial<WithdrawalOrder> = {}): WithdrawalOrder => ({
  uid: subUid,
  coin: "USDT",
  dest: "on_chain",
  address: "TXyz",
  amount: exact("100"),
  ...terms,
});
const held = (coin = "USDT") => office.ledger.balance(walletOf(subUid, "spot"), coin).available;

describe("a broker's sub-accounts", () => {
  it("fill three pages of the list's own size, newest first", () => {
    const uids = desk.subAccounts(CAROL).map(({ uid }) => uid);
    expect(uids.length).toBeGreaterThan(20);
    expect(uids).toEqual([...uids].sort().reverse());
  });

  it("are the broker's alone", () => {
    expect(desk.subAccounts(ALICE)).toEqual([]);
    expect(refusalOf(() => desk.subAccount(ALICE, subUid))).toBe("40034");
    expect(refusalOf(() => desk.subAccount(CAROL, "1"))).toBe("40034");
  });

  it("change their e-mail address and keep their place", () => {
    const before = desk.subAccounts(CAROL).map(({ uid }) => uid);
    office.clock.advance(1_000);
    desk.changeEmail(CAROL, subUid, "new@desk.example");
    expect(desk.subAccount(CAROL, subUid)).toMatchObject({ email: "new@desk.example", updatedTime: office.now() });
    expect(desk.subAccounts(CAROL).map(({ uid }) => uid)).toEqual(before);
  });
});

describe("a withdrawal", () => {
  it("on a chain takes the amount, of which the fee stays", () => {
    const before = {
      sub: held(),
      chain: office.ledger.held(houseWallet("chain"), "USDT"),
      fees: office.ledger.held(houseWallet("fees"), "USDT"),
    };
    const withdrawal = desk.withdraw(CAROL, order());
    expect([plain(withdrawal.amount), plain(withdrawal.fee), withdrawal.chain]).toEqual(["100", "1", "TRC20"]);
    expect(plain(before.sub.minus(held()))).toBe("100");
    expect(plain(office.ledger.held(houseWallet("chain"), "USDT").minus(before.chain))).toBe("99");
    expect(plain(office.ledger.held(houseWallet("fees"), "USDT").minus(before.fees))).toBe("1");
    expect(office.unbalanced()).toEqual([]);
  });

  it("goes by the chain that is named in any letter case, at its fee, or else by the main one", () => {
    const by = (chain: string) => desk.withdraw(CAROL, order({ chain }));
    expect([by("trc20"), by("bep20")].map(({ chain, fee }) => [chain, plain(fee)])).toEqual([
      ["TRC20", "1"],
      ["BEP20", "0.3"],
    ]);
  });

  it("on a chain is pending until the chain has confirmed it", () => {
    const withdrawal = desk.withdraw(CAROL, order());
    expect(statusAt(withdrawal, office.now() + 59_999)).toBe("pending");
    expect(statusAt(withdrawal, office.now() + 60_000)).toBe("success");
  });

  it("to another user arrives at once and whole", () => {
    const before = office.funds(BOB, "USDT");
    const withdrawal = desk.withdraw(CAROL, order({ dest: "internal_transfer", address: BOB }));
    expect(plain(office.funds(BOB, "USDT").minus(before))).toBe("100");
    expect([plain(withdrawal.fee), statusAt(withdrawal, office.now())]).toEqual(["0", "success"]);
  });

  it("under a clientOid that was used before gives the first one and moves nothing", () => {
    const first = desk.withdraw(CAROL, order({ clientOid: "w-1" }));
    const before = held();
    expect(desk.withdraw(CAROL, order({ clientOid: "w-1", amount: exact("7") }))).toEqual(first);
    expect(plain(held())).toBe(plain(before));
    expect(desk.withdrawals(CAROL)).toHaveLength(1);
  });

  it.each([
    ["more than is there", { amount: exact("1000000000") }, "43012"],
    ["no more than the fee", { amount: exact("1") }, "40020"],
    ["a chain that the coin is not on", { chain: "Ripple" }, "400172"],
    ["a coin that cannot be withdrawn", { coin: "XMR" }, "400172"],
    ["somebody who is not a user", { dest: "internal_transfer", address: "999" }, "47002"],
    ["a sub-account of somebody else", { uid: ALICE }, "40034"],
  ] satisfies [string, Partial<WithdrawalOrder>, string][])("is refused for %s, and nothing moves", (_, terms, code) => {
    const postings = office.ledger.posted;
    expect(refusalOf(() => desk.withdraw(CAROL, order(terms)))).toBe(code);
    expect(office.ledger.posted).toBe(postings);
    expect(desk.withdrawals(CAROL)).toEqual([]);
  });
});
