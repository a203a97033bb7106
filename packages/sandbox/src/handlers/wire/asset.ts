import type { classicSpotAssets } from "@exchange-graph/contract/asset";
import { type Exact, plain, truncated } from "@exchange-graph/contract/decimal";
import type { ParametersOf } from "@exchange-graph/contract/endpoint";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { type Balance, type Ledger, walletOf, ZERO } from "../../world/ledger.js";
import type { UnifiedCoin, UnifiedMargin } from "../../world/margin/unified.js";
import { PLACES, text } from "./fields.js";

/** Balances in calls and pushes. */

/** A ratio as a fraction, of the printed values; zero if the whole is zero. */
export function ratio(part: Exact, whole: Exact): string {
  const divisor = truncated(whole, PLACES);
  return divisor.eq(ZERO) ? "0" : text(truncated(part, PLACES).div(divisor));
}

/** v3, the account as a whole. */
export const unifiedFigures = (margin: UnifiedMargin) => ({
  equity: text(margin.equity),
  unrealised: text(margin.unrealised),
  effEquity: text(margin.effective),
  mmr: text(margin.maintenance),
  imr: text(margin.initial),
  mgnRatio: ratio(margin.maintenance, margin.effective),
  positionMgnRatio: ratio(margin.positionMaintenance, margin.effective),
  bonus: "0",
});

/** v3, a coin. */
export const unifiedCoin = (row: UnifiedCoin) => ({
  coin: row.coin,
  equity: text(row.equity),
  usdValue: text(row.usdValue),
  balance: plain(row.balance),
  available: text(row.available.plus(row.unrealised)),
  debt: text(row.debt),
  locked: plain(row.locked),
});

/** Whether there is a balance or debt of a coin. Other coins are not shown. */
export const isHeld = ({ equity, debt }: UnifiedCoin): boolean => !equity.eq(ZERO) || !debt.eq(ZERO);

/** The spot balances of a user: of one coin, of all `coins`, or of those that it holds. */
export function spotBalances(ledger: Ledger, uid: string, coins: readonly string[], { assetType, coin }: SpotQuery) {
  const wallet = walletOf(uid, "spot");
  const held = ledger.coins(wallet).flatMap(([name]) => (ledger.held(wallet, name).eq(ZERO) ? [] : [name]));
  const shown = assetType === "all" ? coins : held;
  return (coin === undefined ? shown : [inCapitals(coin)]).map((name) => spotBalance(name, ledger.balance(wallet, name)));
}
type SpotQuery = Pick<ParametersOf<typeof classicSpotAssets>, "assetType" | "coin">;

export const spotBalance = (coin: string, { available, frozen, locked, updatedTime }: Balance) => ({
  coin,
  available: plain(available),
  frozen: plain(frozen),
  locked: plain(locked),
  uTime: updatedTime === 0 ? "" : String(updatedTime),
});
