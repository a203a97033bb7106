import { type ExchangeAccount, mapRows } from "../datasources/index.js";
import { inEach, readFuturesAccounts, readSubAccountFuturesAssets } from "../datasources/reads/index.js";
import { Account } from "../schema/account.js";
import { FuturesProductType } from "../schema/enums/category.js";
import { of } from "../schema/fields.js";
import { FuturesAccount, SubAccountFuturesAssets } from "../schema/futuresAccount.js";
import { FUTURES, ofProductTypes, only, PRODUCT_TYPE } from "./fieldCosts.js";
import { accountField, resolversOf } from "./fieldTable.js";
import { WITHIN_A_MINUTE } from "./maxAge.js";

export const FuturesAccountsResolver = resolversOf(Account, {
  futuresAccounts: accountField([FuturesAccount], {
    description:
      "The futures accounts of a product type, or of all, one per margin coin. Classic accounts. Source: GET /api/v2/mix/account/accounts",
    cost: only("CLASSIC", ofProductTypes),
    args: { productType: PRODUCT_TYPE },
    resolve: async (account: ExchangeAccount, { reads }, { productType }) =>
      inEach(productType, FUTURES, async (one) =>
        mapRows(await readFuturesAccounts(reads, account, one), (wallet) => ({ account, productType: one, ...wallet })),
      ),
  }),
  subAccountFuturesAssets: accountField([SubAccountFuturesAssets], {
    description:
      "The futures assets of all sub-accounts. For Classic master accounts that are not ND brokers. The exchange answers one call in ten seconds. Source: GET /api/v2/mix/account/sub-account-assets",
    cost: only("CLASSIC", { rows: 500 }),
    args: { productType: of(FuturesProductType)("Futures category, by the coin of the margin"), maxAgeMs: WITHIN_A_MINUTE },
    resolve: async (account: ExchangeAccount, { reads }, { productType, maxAgeMs }) => {
      const funds = await readSubAccountFuturesAssets(reads.within(maxAgeMs), account, productType);
      return mapRows(funds, (one) => ({ account, productType, ...one }));
    },
  }),
});
