import { FINANCIAL_RECORD_CATEGORIES } from "@exchange-graph/contract/financialRecord";
import { FINANCIAL_RECORD_KINDS } from "@exchange-graph/contract/financialRecordKinds";
import { FUTURES_MEANINGS } from "./category.js";
import { openEnum, openEnumWithInput } from "./exchangeEnum.js";

export const [FinancialRecordCategory, FinancialRecordCategoryInput] = openEnumWithInput(
  "FinancialRecordCategory",
  FINANCIAL_RECORD_CATEGORIES,
  "Kind of product to which a change of a balance belongs (`category`); of a Classic account the account of that product",
  {
    SPOT: "Spot; Classic: everything in the spot account, transfers and deposits included",
    MARGIN: "Spot with borrowed coins, with loans and interest; Classic: everything in the margin account",
    ...FUTURES_MEANINGS,
    OTHER: "No product: transfers between wallets and whatever else; unified accounts only",
  },
);

openEnum("FinancialRecordKind", FINANCIAL_RECORD_KINDS, "Cause of a change of a balance; `type` has the exchange's own word", {
  trade: "A fill of an order, with its profit or loss and its fee",
  funding: "Funding of a perpetual position, paid or received",
  fee: "A fee that was taken separately",
  transfer: "A transfer between wallets of the account, or with a sub-account",
  deposit: "Coins from a chain or from another user",
  withdrawal: "Coins to a chain or to another user",
  borrowing: "Margin that was borrowed or repaid",
  interest: "Interest of borrowed margin",
  loan: "A crypto loan or its pledge",
  conversion: "One coin exchanged for another at a quoted price, or for a debt",
  earn: "Savings and other earn products, with their interest",
  liquidation: "A liquidation, or a loss that the insurance fund paid",
  reward: "A bonus, rebate or airdrop, or the end of one",
  copy_trading: "Copy trading: a share of profit, or coins that followed a trader",
  other: "Something else that the exchange lists by itself",
});
