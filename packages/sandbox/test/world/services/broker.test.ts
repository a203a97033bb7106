import { exact, plain } from "@exchange-graph/contract/decimal";
import { beforeEach, describe, expect, it } from "vitest";
import { BrokerService } from "../../../src/world/broker/brokerService.js";
import { openSubAccounts } from "../../../src/world/broker/opening.js";
import { houseWallet, walletOf } from "../../../src/world/ledger.js";
import { WalletService } from "../../../src/world/wallet/walletService.js";
import { statusAt, type WithdrawalOrder } from "../../../src/world/wallet/withdrawals.js";
import { ALICE, BOB, CAROL, type TestOffice, testOffice, testRandom } from "../../support/office.js";
import { refusalOf } from "../../support/refusal.js";

let office: TestOffice;
let service: BrokerService;
let subUid: string;
beforeEach(() => {
  office = testOffice();
  service = new BrokerService(office, office.accounts, new WalletService(office, office.accounts));
  openSubAccounts(service, CAROL, testRandom());
  subUid = service.subAccounts.of(CAROL)[0]?.uid ?? "";
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
    const uids = service.subAccounts.of(CAROL).map(({ uid }) => uid);
    expect(uids.length).toBeGreaterThan(20);
    expect(uids).toEqual([...uids].sort().reverse());
  });

  it("are the broker's alone", () => {
    expect(service.subAccounts.of(ALICE)).toEqual([]);
    expect(refusalOf(() => service.subAccount(ALICE, subUid))).toBe("40034");
    expect(refusalOf(() => service.subAccount(CAROL, "1"))).toBe("40034");
  });

  it("change their e-mail address and keep their place", () => {
    const before = service.subAccounts.of(CAROL).map(({ uid }) => uid);
    office.clock.advance(1_000);
    service.changeEmail(CAROL, subUid, "new@desk.example");
    expect(service.subAccount(CAROL, subUid)).toMatchObject({ email: "new@desk.example", updatedTime: office.now() });
    expect(service.subAccounts.of(CAROL).map(({ uid }) => uid)).toEqual(before);
  });
});

describe("a withdrawal", () => {
  it("on a chain takes the amount, of which the fee stays", () => {
    const before = {
      sub: held(),
      chain: office.ledger.held(houseWallet("chain"), "USDT"),
      fees: office.ledger.held(houseWallet("fees"), "USDT"),
    };
    const withdrawal = service.withdraw(CAROL, order());
    expect([plain(withdrawal.amount), plain(withdrawal.fee), withdrawal.chain]).toEqual(["100", "1", "TRC20"]);
    expect(plain(before.sub.minus(held()))).toBe("100");
    expect(plain(office.ledger.held(houseWallet("chain"), "USDT").minus(before.chain))).toBe("99");
    expect(plain(office.ledger.held(houseWallet("fees"), "USDT").minus(before.fees))).toBe("1");
    expect(office.unbalanced()).toEqual([]);
  });

  it("goes by the chain that is named in any letter case, at its fee, or else by the main one", () => {
    const by = (chain: string) => service.withdraw(CAROL, order({ chain }));
    expect([by("trc20"), by("bep20")].map(({ chain, fee }) => [chain, plain(fee)])).toEqual([
      ["TRC20", "1"],
      ["BEP20", "0.3"],
    ]);
  });

  it("on a chain is pending until the chain has confirmed it", () => {
    const withdrawal = service.withdraw(CAROL, order());
    expect(statusAt(withdrawal, office.now() + 59_999)).toBe("pending");
    expect(statusAt(withdrawal, office.now() + 60_000)).toBe("success");
  });

  it("to another user arrives at once and whole", () => {
    const before = office.funds(BOB, "USDT");
    const withdrawal = service.withdraw(CAROL, order({ dest: "internal_transfer", address: BOB }));
    expect(plain(office.funds(BOB, "USDT").minus(before))).toBe("100");
    expect([plain(withdrawal.fee), statusAt(withdrawal, office.now())]).toEqual(["0", "success"]);
  });

  it("under a clientOid that was used before gives the first one and moves nothing", () => {
    const first = service.withdraw(CAROL, order({ clientOid: "w-1" }));
    const before = held();
    expect(service.withdraw(CAROL, order({ clientOid: "w-1", amount: exact("7") }))).toEqual(first);
    expect(plain(held())).toBe(plain(before));
    expect(service.withdrawals.of(CAROL)).toHaveLength(1);
  });

  it.each([
    ["more than is there", { amount: exact("1000000000") }, "43012"],
    ["no more than the fee", { amount: exact("1") }, "40020"],
    ["a chain that the coin is not on", { chain: "Ripple" }, "400172"],
    ["a coin that cannot be withdrawn", { coin: "XMR" }, "400172"],
    ["an unknown user", { dest: "internal_transfer", address: "999" }, "47002"],
    ["a sub-account of another user", { uid: ALICE }, "40034"],
  ] satisfies [string, Partial<WithdrawalOrder>, string][])("is refused for %s, and nothing moves", (_, terms, code) => {
    const postings = office.ledger.posted;
    expect(refusalOf(() => service.withdraw(CAROL, order(terms)))).toBe(code);
    expect(office.ledger.posted).toBe(postings);
    expect(service.withdrawals.of(CAROL)).toEqual([]);
  });
});
