import { describe, expect, it } from "vitest";
import { sharedGraph } from "../support/sharedGraph.js";
import { type Input, mutate, Word } from "./support/mutate.js";

/** A gateway that may withdraw to one address. */
const live = sharedGraph({ withdrawals: [{ address: "TQ4cold", dest: "on_chain", coin: "USDT" }] });

const withdraw = (more: Input = {}) =>
  mutate(live, "withdrawFromSubAccount", {
    account: "broker",
    subUid: "880011225501",
    coin: "USDT",
    dest: new Word("ON_CHAIN"),
    address: "TQ4cold",
    amount: "2",
    ...more,
  });

describe("a withdrawal to an address that is not listed", () => {
  it.each<[string, Input]>([
    ["at once", {}],
    ["in a dry run too", { dryRun: true }],
    ["with a client identifier", { clientOid: "mine-1" }],
  ])("is refused as FORBIDDEN with nothing sent: %s", async (_, more) => {
    const before = live.sandbox.calls.of("subAccountWithdrawal").total;
    const { outcome, userErrors, request, journalEntry } = await withdraw({ address: "TQ4thief", ...more });
    expect({ outcome, userErrors, request, journalEntry }).toEqual({
      outcome: "REJECTED",
      userErrors: [
        {
          code: "FORBIDDEN",
          field: ["address"],
          message: "address must be an allowed withdrawal address; nothing was sent",
          isRetryable: false,
          exchange: null,
        },
      ],
      request: null,
      journalEntry: null,
    });
    expect(live.sandbox.calls.of("subAccountWithdrawal").total).toBe(before);
  });
});

it("a withdrawal to a listed address reaches the exchange", async () => {
  await withdraw({ clientOid: "listed-1" });
  expect(live.sandbox.calls.of("subAccountWithdrawal").total).toBe(1);
});
