import { futuresAccount } from "@exchange-graph/contract/futuresAccount";
import { Balance, UnifiedAssets } from "./account.js";
import { FuturesCategory } from "./enums/category.js";
import { listOf, of, partialListOf, word } from "./fields.js";
import { accountCoins, futuresAccounts } from "./listLengths.js";
import { extended, RecordType, recordOf } from "./record.js";
import { AccountEvent } from "./streamStatus.js";

@RecordType("A Classic futures account as the exchange pushes it: fewer figures than in a query")
class FuturesAccountUpdate extends extended(
  recordOf(futuresAccount, {
    without: [
      "isolatedMaxAvailable",
      "equityBtc",
      "bonus",
      "isolatedMargin",
      "crossedMargin",
      "crossedUnrealisedPnl",
      "isolatedUnrealisedPnl",
      "assets",
    ],
    descriptions: {
      locked: "Locked, in margin coin (pushed as `frozen`)",
      crossedMaxAvailable: "Most that can be used to open positions, in margin coin (pushed as `maxOpenPosAvailable`)",
      equity: "Equity with unrealised profit and loss at mark price, in margin coin (`accountEquity`, pushed as `equity`)",
      unrealisedPnl: "Unrealised profit and loss of the open positions, in margin coin (`unrealizedPL`)",
      unionTotalMargin: "Total margin in multi-asset mode, in USDT",
      unionAvailable: "Total free to use in multi-asset mode, in USDT",
      unionMaintenanceMargin: "Maintenance margin in multi-asset mode, in USDT (`unionMm`)",
      assetMode: "Whether one coin is margin, or several coins together (pushed as `assetsMode`)",
    },
  }),
  {
    category: word(FuturesCategory)("Futures category, by the coin of the margin"),
  },
) {}

@RecordType("Balances of an account after a change. An update of a Classic account has the changed rows only")
export class AccountUpdate extends extended(AccountEvent, {
  unifiedAssets: of(UnifiedAssets).orNull("Equity and margin as a whole; unified accounts only"),
  balances: partialListOf(Balance, accountCoins).orError(
    "Balances for trading, one per coin. Null, with the reason in `errors`, once the stream of this account alone has ended",
  ),
  futuresAccounts: listOf(
    FuturesAccountUpdate,
    futuresAccounts,
  )("Futures accounts, one per category and margin coin; Classic only"),
}) {}
