import { decimal, flag, listOf, text } from "../fields.js";
import { fieldsOf, RecordType } from "../record.js";

@RecordType(
  "Estimated cost of an order at the current price, and the funds that the account has for it. Nothing is reserved. Calculated by this gateway: the exchange's figures may differ slightly",
)
export class OrderEstimate extends fieldsOf({
  price: decimal("The price used, in quote coin: the order's limit price, its trigger price, or the last price"),
  cost: decimal("Value of the order at that price, in `costCoin`"),
  costCoin: text("The quote coin"),
  feeRate: decimal.orNull("The symbol's default taker fee, as a fraction; an account may pay less. Null if it is not known"),
  fee: decimal.orNull(
    "The fee at that rate, in `costCoin`. On spot it is deducted from the received coins. Null if the rate is not known",
  ),
  leverage: decimal.orNull(
    "Leverage of the symbol's position or its setting, on MARGIN of the borrowed coin; null on SPOT, and if the exchange does not send it",
  ),
  margin: decimal.orNull(
    "Required margin, in `requiredCoin`: on futures for the part that adds to positions, on MARGIN the coins that are sold or spent; null on SPOT, and if the leverage is not known",
  ),
  required: decimal.orNull(
    "Required funds, in `requiredCoin`: margin and fee on futures, otherwise the coins that are sold or spent; null if one of them is not known",
  ),
  requiredCoin: text("Coin of the required funds: margin coin, quote coin of a buy, base coin of a sell"),
  available: decimal.orNull(
    "Available funds, in `requiredCoin`: free coins on SPOT, free and borrowable coins on MARGIN, free margin on futures. Null if the exchange does not send it",
  ),
  isAffordable: flag.orNull("Whether `available` is at least `required`; null if one of the two is not known"),
  maxQty: decimal.orNull(
    "Maximum quantity at this price, in base coin: by the available funds and by the symbol's rules for one order; of an order that only closes, the position's. Null if the funds are not known",
  ),
  maxQuoteQty: decimal.orNull("Maximum amount of a market buy on SPOT and MARGIN, in quote coin; null for all other orders"),
}) {}

@RecordType(
  "Estimated cost of those orders of a batch that draw on the same funds and are valued in the same coin, if all of them trade",
)
class FundsEstimate extends fieldsOf({
  cost: decimal("Value of the orders, in `costCoin`"),
  costCoin: text("Their quote coin"),
  fee: decimal.orNull("Their fees, in `costCoin`; null if the rate of one is not known"),
  margin: decimal.orNull(
    "Margin that they require, in `requiredCoin`: on futures in one-way mode the opposite position is closed once, by the first of them. Null on SPOT, and if the leverage of one is not known",
  ),
  required: decimal.orNull("Funds that they require, in `requiredCoin`; null if not known of one"),
  requiredCoin: text("Coin of the required funds"),
  available: decimal.orNull("Available funds, in `requiredCoin`; null if the exchange does not send it"),
  isAffordable: flag.orNull("Whether the funds suffice for all orders of the batch that draw on them; null if not known"),
}) {}

@RecordType("Estimated cost of the orders of a batch together. Nothing is reserved. Calculated by this gateway")
export class BatchEstimate extends fieldsOf({
  funds: listOf(
    FundsEstimate,
    10,
  )(
    "By the funds that the orders draw on: coins on SPOT and MARGIN, margin on futures, on a Classic account of each category; and by quote coin",
  ),
  isAffordable: flag.orNull("Whether the funds suffice for all orders; null if not known of one of them"),
  maxFactor: decimal.orNull(
    "Largest factor by which the quantities of all orders can be multiplied, by the available funds: below 1 if they do not suffice. Null if not known, if the orders require nothing, and if one of them first closes an opposite position",
  ),
}) {}
