import { CATEGORIES_OF, fillPages, readFills } from "../datasources/reads/index.js";
import { Account } from "../schema/account.js";
import { ProductCategoryInput } from "../schema/enums/category.js";
import { of, text } from "../schema/fields.js";
import { FillConnection } from "../schema/fill.js";
import { accountList, inCategories } from "./accountList.js";
import { resolversOf } from "./fieldTable.js";

export const FillsResolver = resolversOf(Account, {
  fills: accountList(FillConnection, {
    description:
      "Executions of the account's orders, newest first: of the last 90 days; Classic futures without times the latest ones. Source: GET /api/v3/trade/fills, or GET /api/v2/spot/trade/fills or GET /api/v2/mix/order/fills and GET /api/v2/mix/order/fill-history",
    list: inCategories(fillPages, readFills, (mode) => CATEGORIES_OF[mode]),
    filter: {
      category: of(ProductCategoryInput).optional(
        "Only executions in this product category. Default: all, one call of a unified account and one for each list of a Classic one",
      ),
      symbol: text.optional(
        "Only executions in this symbol; a page of a unified account may have fewer then, and others behind it",
      ),
      orderId: text.optional("Only executions of the order with this identifier"),
    },
  }),
});
