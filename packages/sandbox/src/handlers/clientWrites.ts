import type { Codec } from "@exchange-graph/contract/codec";
import { exact } from "@exchange-graph/contract/decimal";
import { endpoint, type ParametersOf, perSecond } from "@exchange-graph/contract/endpoint";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { amount, coinName, maybe, oneOf, required, symbolName, textRule } from "@exchange-graph/contract/parameter";
import { UNIFIED_MANAGEMENT_WRITE, WALLET_WRITE, WITHDRAW } from "@exchange-graph/contract/permissions";
import { TRANSFER_WALLETS, type TransferWallet } from "@exchange-graph/contract/transfer";
import { WITHDRAWAL_DESTINATIONS } from "@exchange-graph/contract/wallet";
import { Refused } from "../refused.js";
import type { Accounts } from "../world/accounts.js";
import type { Transfers, WalletRef } from "../world/transfers.js";
import type { WalletService } from "../world/wallet/walletService.js";
import { type Handler, signed } from "./handler.js";
import { TRANSFER_WORDS } from "./transfer.js";

/** Transfers and withdrawals that the gateway does not make, but other clients do; the gateway reads what became of them. */

const AS_IT_IS: Codec<unknown> = { decode: (wire) => wire };
const WRITE = { method: "POST", data: AS_IT_IS } as const;

const clientOid = maybe("The client's own identifier", textRule({ max: 64 }));
const transferTerms = {
  fromType: required("Wallet to take from", oneOf(TRANSFER_WALLETS)),
  toType: required("Wallet to pay into", oneOf(TRANSFER_WALLETS)),
  amount: required("Amount", amount()),
  coin: required("Coin", coinName()),
  symbol: maybe("Pair of an isolated margin account", symbolName()),
  clientOid,
};
const users = {
  fromUserId: required("User identifier of the sender", textRule({ max: 40 })),
  toUserId: required("User identifier of the receiver", textRule({ max: 40 })),
};
const withdrawalTerms = {
  coin: required("Coin", coinName()),
  transferType: required("To a chain, or to another user of the exchange", oneOf(WITHDRAWAL_DESTINATIONS)),
  address: required("Address of the chain, or the receiver's user identifier", textRule()),
  size: required("Amount", amount()),
  chain: maybe("Chain", textRule({ max: 40 })),
  tag: maybe("Memo or comment that goes with the address", textRule()),
  remark: maybe("Note", textRule()),
  clientOid,
};

const transferOnce = endpoint({
  ...WRITE,
  name: "classicTransfer",
  doc: "Transfers coins between the wallets of a Classic account",
  path: "/api/v2/spot/wallet/transfer",
  permissions: WALLET_WRITE,
  rate: perSecond(10, "UID"),
  parameters: transferTerms,
});
const subTransfer = endpoint({
  ...WRITE,
  name: "classicSubTransfer",
  doc: "Transfers coins between a Classic master account and its sub-accounts",
  path: "/api/v2/spot/wallet/subaccount-transfer",
  permissions: WALLET_WRITE,
  rate: perSecond(10, "UID"),
  parameters: { ...transferTerms, ...users },
});
const unifiedTransfer = endpoint({
  ...WRITE,
  name: "transfer",
  doc: "Transfers coins between the wallets of a unified account",
  path: "/api/v3/account/transfer",
  permissions: UNIFIED_MANAGEMENT_WRITE,
  rate: perSecond(5, "UID"),
  parameters: transferTerms,
});
const withdrawal = endpoint({
  ...WRITE,
  name: "classicWithdrawal",
  doc: "Withdraws coins from a Classic account",
  path: "/api/v2/spot/wallet/withdrawal",
  permissions: WITHDRAW,
  rate: perSecond(5, "UID"),
  parameters: withdrawalTerms,
});
const unifiedWithdrawal = endpoint({
  ...WRITE,
  name: "withdrawal",
  doc: "Withdraws coins from a unified account",
  path: "/api/v3/account/withdrawal",
  permissions: [...UNIFIED_MANAGEMENT_WRITE, ...WITHDRAW],
  rate: perSecond(1, "UID"),
  parameters: withdrawalTerms,
});

const KINDS = new Map([...TRANSFER_WORDS].map(([kind, word]) => [word, kind]));

export function clientWriteHandlers(transfers: Transfers, wallets: WalletService, accounts: Accounts): readonly Handler[] {
  const end = (uid: string, word: TransferWallet, symbol: string | undefined): WalletRef => {
    const kind = KINDS.get(word);
    if (kind === undefined) throw new TypeError(`${word} is the wallet of no kind`);
    if (kind !== "isolated-margin") return { uid, kind };
    if (symbol === undefined) throw new Refused(REFUSAL.missingParameter, "symbol");
    return { uid, kind, symbol: inCapitals(symbol) };
  };
  const move = (fromUid: string, toUid: string, order: ParametersOf<typeof transferOnce>) => {
    const { transferId, clientOid: transferOid } = transfers.transfer(
      end(fromUid, order.fromType, order.symbol),
      end(toUid, order.toType, order.symbol),
      inCapitals(order.coin),
      exact(order.amount),
      order.clientOid,
    );
    return { transferId, clientOid: transferOid };
  };
  /** The users of a master account: itself and its sub-accounts. */
  const own = (uid: string, named: string, parameter: string): string => {
    if (named !== uid && !accounts.subAccounts(uid).some((sub) => sub.uid === named))
      throw new Refused(REFUSAL.unknownValue, parameter);
    return named;
  };
  const withdraw = (uid: string, values: ParametersOf<typeof withdrawal>) => {
    const { coin, transferType: dest, address, size, chain, tag, clientOid: requestOid } = values;
    const order = { uid, coin: inCapitals(coin), dest, address, amount: exact(size), chain, tag, clientOid: requestOid };
    return { orderId: wallets.withdraw(order).orderId, clientOid: requestOid ?? "" };
  };

  return [
    signed(transferOnce, ({ values, uid }) => move(uid, uid, values)),
    signed(unifiedTransfer, ({ values, uid }) => move(uid, uid, values)),
    signed(subTransfer, ({ values, uid }) =>
      move(own(uid, values.fromUserId, "fromUserId"), own(uid, values.toUserId, "toUserId"), values),
    ),
    signed(withdrawal, ({ values, uid }) => withdraw(uid, values)),
    signed(unifiedWithdrawal, ({ values, uid }) => withdraw(uid, values)),
  ];
}
