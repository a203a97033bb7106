import { closedPositionPages, readClosedPositions } from "../datasources/reads/index.js";
import { Account } from "../schema/account.js";
import { FuturesCategoryInput } from "../schema/enums/category.js";
import { of, text } from "../schema/fields.js";
import { HistoricalPositionConnection } from "../schema/historicalPosition.js";
import { accountList, inCategories } from "./accountList.js";
import { resolversOf } from "./fieldTable.js";

export const PositionHistoryResolver = resolversOf(Account, {
  positionHistory: accountList(HistoricalPositionConnection, {
    description:
      "Closed futures positions of the last 90 days, newest first. The exchange answers 30 days at a time; longer periods are combined. Source: GET /api/v3/position/history-position, or GET /api/v2/mix/position/history-position",
    list: inCategories(closedPositionPages, readClosedPositions, () => Object.values(FuturesCategoryInput)),
    filter: {
      category: of(FuturesCategoryInput).optional("Only this futures category. Default: all, from one list each"),
      symbol: text.optional("Only positions in this symbol"),
    },
  }),
});
