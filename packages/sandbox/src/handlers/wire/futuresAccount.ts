import { plain } from "@exchange-graph/contract/decimal";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { ZERO } from "../../world/ledger.js";
import type { ClassicMargin } from "../../world/margin/classic.js";
import { type State, usdtPrice } from "../../world/state.js";
import { inBtcAndUsdt, text } from "./fields.js";

/** Futures accounts of the Classic API, one per margin coin, in calls and pushes. */

/** The settlement coins of a category, one account each. */
export const marginCoinsOf = ({ catalogue }: State, category: FuturesCategory): readonly string[] => [
  ...new Set(catalogue.futures.filter((contract) => contract.category === category).map(({ contract }) => contract.marginCoin)),
];

/** Figures that every view of a futures account has. Without a position the unrealised profit is empty text. */
export function sharedFigures(state: State, coin: string, margin: ClassicMargin) {
  const worth = inBtcAndUsdt(margin.equity.times(usdtPrice(state, coin)), (other) => usdtPrice(state, other));
  const unrealised = margin.crossedUnrealised.plus(margin.isolatedUnrealised);
  const isFlat = margin.crossedMargin.eq(ZERO) && margin.isolatedMargin.eq(ZERO);
  return {
    marginCoin: coin,
    locked: plain(margin.balance.frozen),
    available: plain(margin.balance.available),
    crossedMaxAvailable: text(margin.free),
    isolatedMaxAvailable: text(margin.free),
    maxTransferOut: text(margin.free),
    usdtEquity: worth.usdt,
    btcEquity: worth.btc,
    unrealizedPL: isFlat ? "" : text(unrealised),
    coupon: "0",
  };
}

/** Figures that only the owner of the account sees. */
export const ownFigures = (state: State, uid: string, margin: ClassicMargin) => ({
  accountEquity: text(margin.equity),
  crossedRiskRate: margin.crossedEquity.eq(ZERO) ? "0" : text(margin.crossedMaintenance.div(margin.crossedEquity)),
  isolatedMargin: text(margin.isolatedMargin),
  crossedMargin: text(margin.crossedMargin),
  crossedUnrealizedPL: text(margin.crossedUnrealised),
  isolatedUnrealizedPL: text(margin.isolatedUnrealised),
  assetMode: state.accounts.of(uid).assetMode,
});
