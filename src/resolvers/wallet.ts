import type { ExchangeAccount } from "../datasources/index.js";
import {
  deposits,
  FEE_LISTS,
  readFeeRates,
  readMaxTransfer,
  readMaxWithdrawal,
  readTransfers,
  transferPages,
  transfersOfSubAccounts,
  withdrawals,
} from "../datasources/reads/index.js";
import { Account } from "../schema/account.js";
import { categoryNamed } from "../schema/enums/category.js";
import { TransferRole, TransferWalletInput } from "../schema/enums/transfer.js";
import { AccountFeeRate } from "../schema/feeRate.js";
import { of, text, texts } from "../schema/fields.js";
import { feeRates } from "../schema/listLengths.js";
import { MaxTransfer, MaxWithdrawal } from "../schema/maximum.js";
import { TransferConnection } from "../schema/transfer.js";
import { DepositConnection, WithdrawalConnection } from "../schema/wallet.js";
import { accountList } from "./accountList.js";
import { withAccount } from "./accountScoped.js";
import { only } from "./fieldCosts.js";
import { accountField, resolversOf } from "./fieldTable.js";
import { EACH } from "./market.js";

type ExchangeWithdrawal = Exclude<Awaited<ReturnType<typeof withdrawals.read>>["rows"][number]["row"], Error>;

/** Converts an account's own withdrawal to its type in the graph. */
export const withdrawalOf = (account: ExchangeAccount, { userId: _, confirm, ...row }: ExchangeWithdrawal) =>
  withAccount(account, { ...row, confirmations: confirm });

const COIN = text("Coin, for example `USDT`");

/** Coins that enter and leave the wallets of an account, what of them can, and what trading costs. */
export const WalletResolver = resolversOf(Account, {
  deposits: accountList(DepositConnection, {
    description:
      "Deposits, newest first. Default: as far back as the exchange keeps them. Source: GET /api/v3/account/deposit-records, or GET /api/v2/spot/wallet/deposit-records",
    list: deposits,
    filter: {
      coin: text.optional("Only deposits of this coin"),
      orderId: text.optional("Only the deposit with this identifier"),
    },
  }),
  withdrawals: accountList(WithdrawalConnection, {
    description:
      "The account's own withdrawals, newest first; those of a broker's sub-accounts are in `broker.withdrawals`. Source: GET /api/v3/account/withdrawal-records, or GET /api/v2/spot/wallet/withdrawal-records",
    list: withdrawals,
    filter: {
      coin: text.optional("Only withdrawals of this coin"),
      orderId: text.optional("Only the withdrawal with this identifier"),
      clientOid: text.optional("Only the withdrawal with this identifier of the client"),
    },
    node: withdrawalOf,
  }),
  transfers: accountList(TransferConnection, {
    description:
      "Transfers between the wallets of a Classic account, newest first. Default: the last 90 days. Those of a unified account are among its `financialRecords` and `fundingRecords`, because the exchange has no list of them: ACCOUNT_MODE_MISMATCH. Source: GET /api/v2/spot/account/transferRecords",
    list: { pages: transferPages, read: readTransfers },
    filter: {
      coin: text.optional(
        "Only transfers of this coin. Default: those of the last 90 days in USDT, USDC and each coin that has entered or left the spot account by a transfer, at most 40 coins with a list each",
      ),
      fromWallet: of(TransferWalletInput).optional("Only transfers out of this wallet"),
    },
  }),
  subAccountTransfers: accountList(TransferConnection, {
    description:
      "Transfers between the master account and its sub-accounts, newest first, for the key of a master account. Default: the last 90 days. Source: GET /api/v3/account/sub-transfer-record, or GET /api/v2/spot/account/sub-main-trans-record",
    list: transfersOfSubAccounts,
    filter: {
      coin: text.optional("Only transfers of this coin"),
      subUid: text.optional("Transfers of this sub-account. Default: those of the master account"),
      role: of(TransferRole).optional("Transfers that the user sent, or that it received. Default: INITIATOR"),
    },
  }),
  maxTransfer: accountField(MaxTransfer, {
    description:
      "The most of a coin that can be transferred out of a unified account, or of the cross margin account of a Classic one; `futuresAccounts` and `balances` have it for the other Classic accounts. Source: GET /api/v3/account/max-transferable, or GET /api/v2/margin/crossed/account/max-transfer-out-amount",
    cost: { calls: 1 },
    args: { coin: COIN },
    resolve: (account: ExchangeAccount, { reads }, { coin }) => readMaxTransfer(reads, account, coin),
  }),
  maxWithdrawal: accountField(MaxWithdrawal, {
    description:
      "The most of a coin that can be withdrawn from a unified account; the exchange checks it again on withdrawal. Source: GET /api/v3/account/max-withdrawal",
    cost: only("UNIFIED", {}),
    args: { coin: COIN },
    resolve: (account: ExchangeAccount, { reads }, { coin }) => readMaxWithdrawal(reads, account, coin),
  }),
  feeRates: accountField([AccountFeeRate], {
    description:
      "Trading fees of the account in a category, or in all, up to a minute old; of a Classic account those of all futures for any category of them. Source: GET /api/v3/account/all-fee-rate, or GET /api/v2/common/all-trade-rate",
    cost: {
      calls: ({ category }, { mode }) => (categoryNamed(category) === undefined ? FEE_LISTS[mode ?? "UNIFIED"].length : 1),
      rows: feeRates,
    },
    args: { category: EACH, symbols: texts.optional("Only these symbols. Default: all") },
    resolve: (account: ExchangeAccount, { reads }, { category, symbols }) => readFeeRates(reads, account, category, symbols),
  }),
});
