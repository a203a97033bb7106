import { WITHDRAWAL_DESTINATIONS, WITHDRAWAL_STATUSES } from "@exchange-graph/contract/wallet";
import { openEnum, openEnumWithInput, type WordOf } from "./exchangeEnum.js";

export const [, WithdrawalDestinationInput] = openEnumWithInput("WithdrawalDestination", WITHDRAWAL_DESTINATIONS, {
  description: "Where a withdrawal goes (`dest`)",
  meanings: {
    on_chain: "To an address on a chain",
    internal_transfer: "To another user of the exchange",
  },
});
export type WithdrawalDestinationInput = WordOf<typeof WithdrawalDestinationInput>;

openEnum("WithdrawalStatus", WITHDRAWAL_STATUSES, {
  description: "State of a withdrawal",
  meanings: {
    pending: "It is under way",
    fail: "It failed; the coins are where they were",
    success: "It has arrived",
  },
});
