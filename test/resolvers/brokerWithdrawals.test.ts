import { describe, expect, it } from "vitest";
import { sharedGraph } from "./support/sharedGraph.js";

const live = sharedGraph();

const SUB_UID = "8800200001";
const WITHDRAWALS = `query ($subUid: String, $orderId: String) { account(name: "broker") { broker {
  withdrawals(subUid: $subUid, orderId: $orderId) { nodes {
    orderId subUid coin amount fee dest destRaw status statusRaw chain toAddress tag txId confirmations createdTime updatedTime
  } }
} } }`;

const withdraw = async (amount: string): Promise<string> => {
  const input = { account: "broker", subUid: SUB_UID, coin: "USDT", dest: "INTERNAL_TRANSFER", address: "8800112255", amount };
  const { data } = await live.while(
    live.answer(
      "mutation ($input: WithdrawFromSubAccountInput!) { withdrawFromSubAccount(input: $input) { outcome orderId userErrors { message } } }",
      {
        input,
      },
    ),
  );
  expect(data.withdrawFromSubAccount).toMatchObject({ outcome: "ACCEPTED", userErrors: [] });
  return data.withdrawFromSubAccount.orderId;
};

describe("the withdrawals of a broker's sub-accounts", () => {
  it("show each as soon as it was requested, newest first, and are found by sub-account and by identifier", async () => {
    const read = async (variables = {}) => {
      const { data, calls } = await live.answer(WITHDRAWALS, variables);
      expect(calls).toEqual(["subAccountWithdrawals"]);
      return data.account.broker.withdrawals.nodes;
    };
    const before: readonly { readonly orderId: string }[] = await read();
    expect(before.length).toBeGreaterThan(0);
    const first = await withdraw("1.5");
    live.nextMinute();
    const second = await withdraw("2");
    const all = await read();
    const past = before.slice(0, -2).map(({ orderId }) => orderId);
    expect(all.map(({ orderId }: { orderId: string }) => orderId)).toEqual([second, first, ...past]);
    expect(all[1]).toEqual({
      ...{ orderId: first, subUid: SUB_UID, coin: "USDT", amount: "1.5", fee: "0" },
      ...{ dest: "INTERNAL_TRANSFER", destRaw: "internal_transfer", status: "SUCCESS", statusRaw: "success" },
      ...{ chain: expect.any(String), toAddress: "8800112255", tag: null, txId: expect.any(String), confirmations: 1 },
      createdTime: expect.stringMatching(/^\d{4}-.+Z$/),
      updatedTime: expect.stringMatching(/^\d{4}-.+Z$/),
    });
    live.nextMinute();
    expect(await read({ orderId: second })).toHaveLength(1);
    const others: readonly { readonly subUid: string }[] = await read({ subUid: "8800200002" });
    expect(new Set(others.map(({ subUid }) => subUid))).toEqual(new Set(["8800200002"]));
    expect(await read({ subUid: "8800200009" })).toEqual([]);
  });
});
