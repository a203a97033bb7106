import { CONGESTION } from "@exchange-graph/contract/coin";
import { TRANSFER_ROLES, TRANSFER_STATUSES, TRANSFER_WALLETS } from "@exchange-graph/contract/transfer";
import { WITHDRAWAL_DESTINATIONS, WITHDRAWAL_STATUSES } from "@exchange-graph/contract/wallet";
import { closedEnum, openEnum, openEnumWithInput } from "./exchangeEnum.js";

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

export const [, TransferWalletInput] = openEnumWithInput(
  "TransferWallet",
  TRANSFER_WALLETS,
  "Wallet of an account",
  {
    spot: "Classic spot account; of a unified account the funding account",
    p2p: "Funding account",
    coin_futures: "Classic futures margined in their base coin",
    usdt_futures: "Classic futures margined in USDT",
    usdc_futures: "Classic futures margined in USDC",
    crossed_margin: "Classic cross margin",
    isolated_margin: "Classic isolated margin of one pair",
    uta: "Unified account",
  },
  { p2p: "FUNDING", uta: "UNIFIED" },
);

export const TransferRole = closedEnum("TransferRole", TRANSFER_ROLES, "Which end of a transfer a user was", {
  initiator: "The user sent it",
  receiver: "The user received it",
});

openEnum("TransferStatus", TRANSFER_STATUSES, "State of a transfer", {
  successful: "The coins have arrived",
  failed: "It failed; the coins were not moved",
  processing: "It is under way",
});

openEnum("ChainCongestion", CONGESTION, "State of a chain's network", {
  normal: "Transfers take their usual time",
  congested: "Transfers are slow",
});
