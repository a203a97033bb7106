import type { Exact } from "@exchange-graph/contract/decimal";
import { isFutures } from "../catalogue/instrument.js";
import { causeOf } from "../cause.js";
import type { PastChange } from "../funds/financialRecords.js";
import { walletOfCategory } from "../funds/wallets.js";
import { type Wallet, walletOf, ZERO } from "../ledger.js";
import { type Fill, tradeCause } from "../orders/order.js";
import type { Position } from "../positions/position.js";
import type { InitialState } from "./initialAccounts.js";

type Holder = Pick<InitialState, "uid" | "isUnified">;

const walletFor = ({ uid, isUnified }: Holder, category: Fill["category"]): Wallet =>
  walletOf(uid, isUnified ? "unified" : walletOfCategory(category));

/** What a fill from before the start of the world had changed: like a live one, by its profit and fee, or by both coins of the pair. */
export function changesBy(state: Holder & Pick<InitialState, "markets">, fill: Fill): readonly PastChange[] {
  const { category, symbol, side, quantity, value, profit, fee, at } = fill;
  const { instrument } = state.markets.of(category, symbol).listing;
  const common = { wallet: walletFor(state, category), cause: tradeCause(fill), at };
  const change = (coin: string, amount: Exact): PastChange => ({
    ...{ ...common, coin, amount },
    fee: coin === fee.coin ? ZERO.minus(fee.amount) : ZERO,
  });
  if (isFutures(instrument)) return [change(fee.coin, profit)];
  const [base, quote] = side === "buy" ? [quantity, ZERO.minus(value)] : [ZERO.minus(quantity), value];
  return [change(instrument.baseCoin, base), change(instrument.quoteCoin, quote)];
}

/** The change by a payment of funding. */
export const fundingChange = (
  state: Holder,
  { category, symbol, marginCoin: coin }: Pick<Position, "category" | "symbol" | "marginCoin">,
  { amount, at }: { readonly amount: Exact; readonly at: number },
): PastChange => ({
  ...{ wallet: walletFor(state, category), coin, amount, fee: ZERO, at },
  cause: { ...causeOf("funding"), category, symbol },
});
