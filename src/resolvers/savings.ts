import type { ExchangeAccount } from "../datasources/index.js";
import {
  readRedemption,
  readSavingsProducts,
  readSavingsTotals,
  savingsHoldings,
  savingsRecords,
} from "../datasources/reads/index.js";
import { SavingsFilter, SavingsPeriodTypeInput, SavingsRecordTypeInput } from "../schema/enums/savings.js";
import { of, text } from "../schema/fields.js";
import {
  Savings,
  SavingsHoldingConnection,
  SavingsProduct,
  SavingsRecordConnection,
  SavingsRedemption,
  SavingsTotals,
} from "../schema/savings.js";
import { Earn } from "../schema/sharkFin.js";
import { accountList } from "./accountList.js";
import { rowsWithAccount } from "./accountScoped.js";
import { accountField, resolversOf } from "./fieldTable.js";
import { WITHIN_HALF_A_MINUTE } from "./maxAge.js";
import { CreatedArguments } from "./pageArguments.js";

const PERIOD_TYPE = "Kind of term";

export const EarnSavingsResolver = resolversOf(Earn, {
  savings: accountField(Savings, {
    description: "Savings: coins lent to the exchange for interest",
    nullable: false,
    resolve: (account: ExchangeAccount) => account,
  }),
});

export const SavingsResolver = resolversOf(Savings, {
  products: accountField([SavingsProduct], {
    description: "Products on offer. Up to five minutes old. Source: GET /api/v2/earn/savings/product",
    cost: { calls: 1, rows: 1_000 },
    args: {
      coin: text.optional("Only products of this coin"),
      filter: of(SavingsFilter).optional("Kind of list. Default: the exchange's choice, which is not documented"),
    },
    resolve: async (account: ExchangeAccount, { reads }, { coin, filter }) =>
      rowsWithAccount(account, await readSavingsProducts(reads, account, { coin, filter })),
  }),
  redemption: accountField(SavingsRedemption, {
    description:
      "How a redemption ended; its identifier is in the payload of `redeemSavings`. The exchange does not say that it has no such redemption: it reads as failed. Never cached. Source: GET /api/v2/earn/savings/redeem-result",
    cost: { calls: 1 },
    args: { orderId: text("Identifier of the redemption"), periodType: of(SavingsPeriodTypeInput)(PERIOD_TYPE) },
    resolve: (account: ExchangeAccount, { reads }, { orderId, periodType }) =>
      readRedemption(reads, account, { orderId, periodType }),
  }),
  totals: accountField(SavingsTotals, {
    description: "Total holdings and earnings in savings. Source: GET /api/v2/earn/savings/account",
    cost: { calls: 1 },
    args: { maxAgeMs: WITHIN_HALF_A_MINUTE },
    resolve: (account: ExchangeAccount, { reads }, { maxAgeMs }) => readSavingsTotals(reads.within(maxAgeMs), account),
  }),
  assets: accountList(SavingsHoldingConnection, {
    description: "Savings that the account holds, newest first. Source: GET /api/v2/earn/savings/assets",
    list: savingsHoldings,
    filter: { periodType: of(SavingsPeriodTypeInput)(PERIOD_TYPE) },
    page: CreatedArguments,
    maxAgeMs: WITHIN_HALF_A_MINUTE,
  }),
  records: accountList(SavingsRecordConnection, {
    description: "Records of savings, newest first. Default: the last three months. Source: GET /api/v2/earn/savings/records",
    list: savingsRecords,
    filter: {
      periodType: of(SavingsPeriodTypeInput)(PERIOD_TYPE),
      coin: text.optional("Only records in this coin"),
      orderType: of(SavingsRecordTypeInput).optional("Only records of this kind"),
    },
  }),
});
