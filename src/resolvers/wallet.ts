import { Arg, Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount, Row } from "../datasources/index.js";
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
import { Account, AccountFeeRate, MaxTransfer, MaxWithdrawal } from "../schema/account.js";
import { Cost } from "../schema/cost.js";
import { categoryNamed, ProductCategoryInput } from "../schema/enums/category.js";
import { TransferRole, TransferWalletInput } from "../schema/enums/wallet.js";
import { of, text } from "../schema/fields.js";
import { feeRates } from "../schema/listLengths.js";
import { Arguments, extended } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { DepositConnection, TransferConnection, WithdrawalConnection } from "../schema/wallet.js";
import { withAccount } from "./accountScoped.js";
import { accountConnection, connectionFrom } from "./connection.js";
import type { RequestContext } from "./context.js";
import { only, paged } from "./fieldCosts.js";
import { EACH } from "./market.js";
import { HistoryArguments, ONLY_SYMBOLS, partial } from "./pageArguments.js";

@Arguments()
class DepositArguments extends extended(HistoryArguments, {
  coin: text.optional("Only deposits of this coin"),
  orderId: text.optional("Only the deposit with this identifier"),
}) {}

@Arguments()
class WithdrawalArguments extends extended(HistoryArguments, {
  coin: text.optional("Only withdrawals of this coin"),
  orderId: text.optional("Only the withdrawal with this identifier"),
  clientOid: text.optional("Only the withdrawal with this identifier of the client"),
}) {}

@Arguments()
class TransferArguments extends extended(HistoryArguments, {
  coin: text.optional(
    "Only transfers of this coin. Default: those of the last 90 days in USDT, USDC and each coin that has entered or left the spot account by a transfer, at most 40 coins with a list each",
  ),
  fromWallet: of(TransferWalletInput).optional("Only transfers out of this wallet"),
}) {}

@Arguments()
class SubAccountTransferArguments extends extended(HistoryArguments, {
  coin: text.optional("Only transfers of this coin"),
  subUid: text.optional("Transfers of this sub-account. Default: those of the master account"),
  role: of(TransferRole).optional("Transfers that the user sent, or that it received. Default: INITIATOR"),
}) {}

type ExchangeWithdrawal = Exclude<Awaited<ReturnType<typeof withdrawals.read>>["rows"][number]["row"], Error>;

/** Converts an account's own withdrawal to its type in the graph. */
export const withdrawalOf = (account: ExchangeAccount, { userId: _, confirm, ...row }: ExchangeWithdrawal) =>
  withAccount(account, { ...row, confirmations: confirm });

const COIN = { description: "Coin, for example `USDT`" };

/** Deposits, withdrawals and transfers of an account, their maxima, and fee rates. */
@Resolver(() => Account)
export class WalletResolver {
  @RequiresScope("read:account")
  @Cost(paged(deposits.pages))
  @FieldResolver(() => DepositConnection, {
    nullable: true,
    description:
      "Deposits, newest first. Default: as far back as the exchange keeps them. Source: GET /api/v3/account/deposit-records, or GET /api/v2/spot/wallet/deposit-records",
  })
  async deposits(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => DepositArguments) { coin, orderId, ...history }: DepositArguments,
  ): Promise<DepositConnection> {
    return accountConnection(deposits.read, reads, account, { coin, orderId }, history);
  }

  @RequiresScope("read:account")
  @Cost(paged(withdrawals.pages))
  @FieldResolver(() => WithdrawalConnection, {
    nullable: true,
    description:
      "The account's own withdrawals, newest first; those of a broker's sub-accounts are in `broker.withdrawals`. Source: GET /api/v3/account/withdrawal-records, or GET /api/v2/spot/wallet/withdrawal-records",
  })
  async withdrawals(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => WithdrawalArguments) { coin, orderId, clientOid, ...history }: WithdrawalArguments,
  ): Promise<WithdrawalConnection> {
    const slice = await withdrawals.read(reads, account, { coin, orderId, clientOid }, partial(history));
    return connectionFrom(slice, history.after, (row) => withdrawalOf(account, row));
  }

  @RequiresScope("read:account")
  @Cost(paged(transferPages))
  @FieldResolver(() => TransferConnection, {
    nullable: true,
    description:
      "Transfers between the wallets of a Classic account, newest first. Default: the last 90 days. Those of a unified account are among its `financialRecords` and `fundingRecords`, because the exchange has no list of them: ACCOUNT_MODE_MISMATCH. Source: GET /api/v2/spot/account/transferRecords",
  })
  async transfers(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => TransferArguments) { coin, fromWallet, ...history }: TransferArguments,
  ): Promise<TransferConnection> {
    return accountConnection(readTransfers, reads, account, { coin, fromWallet }, history);
  }

  @RequiresScope("read:account")
  @Cost(paged(transfersOfSubAccounts.pages))
  @FieldResolver(() => TransferConnection, {
    nullable: true,
    description:
      "Transfers between the master account and its sub-accounts, newest first, for the key of a master account. Default: the last 90 days. Source: GET /api/v3/account/sub-transfer-record, or GET /api/v2/spot/account/sub-main-trans-record",
  })
  async subAccountTransfers(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => SubAccountTransferArguments) { coin, subUid, role, ...history }: SubAccountTransferArguments,
  ): Promise<TransferConnection> {
    return accountConnection(transfersOfSubAccounts.read, reads, account, { coin, subUid, role }, history);
  }

  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => MaxTransfer, {
    nullable: true,
    description:
      "The most of a coin that can be transferred out of a unified account, or of the cross margin account of a Classic one; `futuresAccounts` and `balances` have it for the other Classic accounts. Source: GET /api/v3/account/max-transferable, or GET /api/v2/margin/crossed/account/max-transfer-out-amount",
  })
  maxTransfer(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("coin", () => String, COIN) coin: string,
  ): Promise<MaxTransfer> {
    return readMaxTransfer(reads, account, coin);
  }

  @RequiresScope("read:account")
  @Cost(only("UNIFIED", {}))
  @FieldResolver(() => MaxWithdrawal, {
    nullable: true,
    description:
      "The most of a coin that can be withdrawn from a unified account; the exchange checks it again on withdrawal. Source: GET /api/v3/account/max-withdrawal",
  })
  maxWithdrawal(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("coin", () => String, COIN) coin: string,
  ): Promise<MaxWithdrawal> {
    return readMaxWithdrawal(reads, account, coin);
  }

  @RequiresScope("read:account")
  @Cost({
    calls: ({ category }, { mode }) => (categoryNamed(category) === undefined ? FEE_LISTS[mode ?? "UNIFIED"].length : 1),
    rows: feeRates,
  })
  @FieldResolver(() => [AccountFeeRate], {
    nullable: "itemsAndList",
    description:
      "Trading fees of the account in a category, or in all, up to a minute old; of a Classic account those of all futures for any category of them. Source: GET /api/v3/account/all-fee-rate, or GET /api/v2/common/all-trade-rate",
  })
  feeRates(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("category", () => ProductCategoryInput, EACH) category?: ProductCategoryInput | null,
    @Arg("symbols", () => [String], ONLY_SYMBOLS) symbols?: readonly string[] | null,
  ): Promise<readonly Row<AccountFeeRate>[]> {
    return readFeeRates(reads, account, category, symbols);
  }
}
