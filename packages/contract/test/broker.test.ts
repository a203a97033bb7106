import { describe, expect, it } from "vitest";
import {
  brokerRecord,
  modifySubAccountEmail,
  subAccountList,
  subAccountSpotAsset,
  subAccountWithdrawal,
  subAccountWithdrawals,
} from "../src/broker.js";
import samples from "./samples/broker.json" with { type: "json" };
import { refused } from "./support/refused.js";
import { renamed } from "./support/renamed.js";

describe("broker", () => {
  it.each(["uTime", "utime"])("finds the update time under %s", (key) => {
    expect(brokerRecord.decode({ subAccountSize: "3", maxSubAccountSize: "20", [key]: "1767225600000" })).toEqual({
      subAccountCount: 3,
      maxSubAccountCount: 20,
      updatedTime: 1767225600000,
    });
  });

  it("keeps every documented field of a sub-account's asset", () => {
    const wire = { coin: "USDT", available: "100", frozen: "5", locked: "0", uTime: "1767225600000" };
    const { uTime: _, ...kept } = wire;
    expect(subAccountSpotAsset.decode(wire)).toEqual({ ...kept, updatedTime: 1767225600000 });
    expect(subAccountSpotAsset.decode({ ...wire, uTime: "" }).updatedTime).toBeNull();
  });

  it("takes both answers to a changed e-mail address", () => {
    const contact = { subUid: "8800200001", subaccountName: "alpha@broker.example", subaccountEmail: "a@b.example" };
    const decode = modifySubAccountEmail.data.decode;
    expect(decode("success")).toBeNull();
    expect(decode({})).toBeNull();
    expect(decode({ ...contact, ctime: "1767225600000", utime: "1767225600001" })).toEqual({
      ...renamed(contact, { subaccountName: "name", subaccountEmail: "email" }),
      createdTime: 1767225600000,
      updatedTime: 1767225600001,
    });
    expect(decode({ ...contact, cTime: "1767225600000", uTime: "" })).toEqual({
      ...renamed(contact, { subaccountName: "name", subaccountEmail: "email" }),
      createdTime: 1767225600000,
      updatedTime: null,
    });
  });

  it("pages through its sub-accounts by a bare number, until the flag says stop", () => {
    const row = samples["pages through its sub-accounts by a bare number, until the flag says stop: sent"];
    const decode = subAccountList.data.decode;
    expect(decode({ hasNextPage: true, idLessThan: 404, subList: [row] })).toMatchObject({
      cursor: "404",
      list: [{ subUid: "8800200001", status: "normal", permissions: ["read", "withdraw"], label: null }],
    });
    expect(decode({ hasNextPage: false, idLessThan: 404, subList: null })).toEqual({ list: [], cursor: null });
  });

  it("reads a sub-account's withdrawal in the words of an account's own", () => {
    const wire = samples["reads a sub-account's withdrawal in the words of an account's own: sent"];
    expect(subAccountWithdrawals.data.decode({ resultList: [wire], endId: "1" })).toMatchObject({
      cursor: "1",
      list: [{ txId: "0xabc", amount: "10", userId: "8800200001", status: "pending", fee: null }],
    });
  });
});

describe("what a broker asks by", () => {
  it.each(["a@b.co", "first.last+tag@mail.example.com"])("takes the address %s", (subaccountEmail) => {
    expect(refused(modifySubAccountEmail, { subUid: "1", subaccountEmail })).toEqual([]);
  });

  it.each(["", "a", "a@b", "@b.co", "a@", "a b@c.de", "a@b..co", `${"a".repeat(250)}@b.co`])(
    "refuses the address %s",
    (subaccountEmail) => {
      expect(refused(modifySubAccountEmail, { subUid: "1", subaccountEmail })).toEqual(["subaccountEmail"]);
    },
  );
});

describe("a sub-account's withdrawal", () => {
  const ORDER = { subUid: "8800200001", coin: "USDT", dest: "on_chain", address: "TXyzBase58", amount: "10" } as const;

  it("goes to a chain address or to a user, and an address of the wrong kind is refused", () => {
    const internal = { ...ORDER, dest: "internal_transfer" } as const;
    expect(refused(subAccountWithdrawal, { ...internal, address: "8800112233" })).toEqual([]);
    expect(refused(subAccountWithdrawal, { ...internal, address: "TXyzBase58" })).toEqual(["address"]);
    expect(refused(subAccountWithdrawal, { ...ORDER, dest: "email" as "on_chain" })).toEqual(["dest"]);
  });
});
