import type { ExchangeAccount } from "../datasources/index.js";
import { readSharkFinTotals, sharkFinHoldings, sharkFinOffers, sharkFinRecords } from "../datasources/reads/index.js";
import { SharkFinHoldingStatus, SharkFinRecordTypeInput } from "../schema/enums/sharkFin.js";
import { of, text } from "../schema/fields.js";
import {
  Earn,
  SharkFin,
  SharkFinOfferConnection,
  SharkFinProductConnection,
  SharkFinRecordConnection,
  SharkFinTotals,
} from "../schema/sharkFin.js";
import { accountList } from "./accountList.js";
import { accountField, resolversOf } from "./fieldTable.js";
import { WITHIN_HALF_A_MINUTE } from "./maxAge.js";
import { PageArguments } from "./pageArguments.js";

export const EarnResolver = resolversOf(Earn, {
  sharkFin: accountField(SharkFin, {
    description: "Shark-fin products, whose interest depends on a price at the end of their term",
    nullable: false,
    resolve: (account: ExchangeAccount) => account,
  }),
});

export const SharkFinResolver = resolversOf(SharkFin, {
  totals: accountField(SharkFinTotals, {
    description: "Total holdings and earnings in shark-fin products. Source: GET /api/v2/earn/sharkfin/account",
    cost: { calls: 1 },
    args: { maxAgeMs: WITHIN_HALF_A_MINUTE },
    resolve: (account: ExchangeAccount, { reads }, { maxAgeMs }) => readSharkFinTotals(reads.within(maxAgeMs), account),
  }),
  offers: accountList(SharkFinOfferConnection, {
    description: "Products on offer for a coin, newest first. Up to five minutes old. Source: GET /api/v2/earn/sharkfin/product",
    list: sharkFinOffers,
    filter: { coin: text("Coin that is paid in") },
    page: PageArguments,
  }),
  assets: accountList(SharkFinProductConnection, {
    description:
      "Current or settled products of the account, by creation time, newest first. Default: the last three months. Source: GET /api/v2/earn/sharkfin/assets",
    list: sharkFinHoldings,
    filter: {
      status: of(SharkFinHoldingStatus).withDefault("Current or settled products. Default: SUBSCRIBED", "subscribed"),
    },
    maxAgeMs: WITHIN_HALF_A_MINUTE,
  }),
  records: accountList(SharkFinRecordConnection, {
    description:
      "Records of shark-fin products, newest first. Default: the last three months. Source: GET /api/v2/earn/sharkfin/records",
    list: sharkFinRecords,
    filter: {
      type: of(SharkFinRecordTypeInput)("Kind of records"),
      coin: text.optional("Only products with this subscription coin"),
    },
  }),
});
