import { TRANSFER_ROLES, TRANSFER_STATUSES, TRANSFER_WALLETS } from "@exchange-graph/contract/transfer";
import { closedEnum, type EnumValueOf, openEnum, openEnumWithInput } from "./exchangeEnum.js";

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
export type TransferWalletInput = EnumValueOf<typeof TransferWalletInput>;

export const TransferRole = closedEnum("TransferRole", TRANSFER_ROLES, "Which end of a transfer a user was", {
  initiator: "The user sent it",
  receiver: "The user received it",
});
export type TransferRole = EnumValueOf<typeof TransferRole>;

openEnum("TransferStatus", TRANSFER_STATUSES, "State of a transfer", {
  successful: "The coins have arrived",
  failed: "It failed; the coins were not moved",
  processing: "It is under way",
});
