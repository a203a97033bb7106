import { WITHDRAWAL_DESTINATIONS, WITHDRAWAL_STATUSES } from "@exchange-graph/contract/wallet";
import { openEnum, openEnumWithInput } from "./exchangeEnum.js";

export const [, WithdrawalDestinationInput] = openEnumWithInput(
  "WithdrawalDestination",
  WITHDRAWAL_DESTINATIONS,
  "Destination of a withdrawal (`dest`)",
  {
    on_chain: "To an address on a chain",
    internal_transfer: "To another user of the exchange",
  },
);

openEnum("WithdrawalStatus", WITHDRAWAL_STATUSES, "State of a withdrawal", {
  pending: "It is under way",
  fail: "It failed; the coins were not moved",
  success: "It has arrived",
});
