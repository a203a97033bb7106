import type { FuturesCategory } from "../../../contract/vocabulary.js";
import { plain } from "../../../decimal.js";
import { isHeld, spotBalance, unifiedCoin, unifiedFigures } from "../../handlers/wire/asset.js";
import { ownFigures, sharedFigures } from "../../handlers/wire/futuresAccount.js";
import { walletOf } from "../../world/ledger.js";
import { presentClassicMargin, presentUnifiedMargin } from "../../world/margin/present.js";
import type { State } from "../../world/state.js";

/** Balances and margin as pushes write them. */

/** v3: the account with its coins; `changed` ones are there even if nothing of them is left. */
export function unifiedAccount(state: State, uid: string, changed: ReadonlySet<string>): unknown {
  const margin = presentUnifiedMargin(state, uid);
  const wallet = walletOf(uid, "unified");
  const { equity, unrealised, ...figures } = unifiedFigures(margin);
  return {
    ...figures,
    totalEquity: equity,
    unrealisedPnL: unrealised,
    coin: margin.coins
      .filter((coin) => isHeld(coin) || changed.has(coin.coin))
      .map((coin) => {
        const { debt, ...same } = unifiedCoin(coin);
        return { ...same, debts: debt, borrow: plain(state.debts.of(wallet, coin.coin).principal) };
      }),
  };
}

/** v2 spot, a coin. */
export const spotCoin = (state: State, uid: string, coin: string): unknown => ({
  ...spotBalance(coin, state.ledger.balance(walletOf(uid, "spot"), coin)),
  limitAvailable: "0",
});

/** v2 futures, an account of one margin coin. */
export function futuresAccount(state: State, uid: string, category: FuturesCategory, coin: string): unknown {
  const margin = presentClassicMargin(state, uid, category, coin);
  const shared = sharedFigures(state, coin, margin);
  const own = ownFigures(state, uid, margin);
  return {
    marginCoin: coin,
    frozen: shared.locked,
    available: shared.available,
    maxOpenPosAvailable: shared.crossedMaxAvailable,
    maxTransferOut: shared.maxTransferOut,
    equity: own.accountEquity,
    usdtEquity: shared.usdtEquity,
    crossedRiskRate: own.crossedRiskRate,
    unrealizedPL: shared.unrealizedPL,
    unionTotalMargin: "0",
    unionAvailable: "0",
    unionMm: "0",
    assetsMode: own.assetMode,
  };
}
