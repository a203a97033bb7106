import { fundingBalance } from "@exchange-graph/contract/asset";
import { Account } from "./account.js";
import { decimal, of, text, time } from "./fields.js";
import { Node } from "./node.js";
import { extended, fieldsOf, RecordType, recordOf } from "./record.js";

@RecordType("Balance of one coin for trading: of a unified account, or of a Classic spot account", {
  implements: Node,
})
export class Balance extends fieldsOf({
  account: of(Account)("The account of the balance"),
  coin: text("Coin, for example `USDT`"),
  equity: decimal.orNull("With frozen margin and unrealised profit and loss, in the coin; on Classic spot the balance itself"),
  balance: decimal.orNull("Balance, in the coin; on Classic spot the sum of available, frozen and locked together"),
  available: decimal.orNull("Free to use, in the coin"),
  frozen: decimal.orNull("Held back for open orders, in the coin; Classic only"),
  locked: decimal.orNull("Locked, in the coin"),
  debt: decimal.orNull("Owed, in the coin; unified accounts only"),
  valueUsd: decimal.orNull("The equity in USD, as the exchange values it; unified accounts only (`usdValue`)"),
  limitAvailable: decimal.orNull("Free for spot copy trading only, in the coin; Classic only"),
  updatedTime: time.orNull("Last update (the exchange's `uTime`); Classic only"),
}) {}

@RecordType("One coin in the funding account beside a unified account", { implements: Node })
export class FundingBalance extends extended(recordOf(fundingBalance), { account: of(Account)("The account of the balance") }) {}
