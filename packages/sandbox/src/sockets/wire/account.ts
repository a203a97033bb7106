import { plain } from "@exchange-graph/contract/decimal";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { isHeld, spotBalance, unifiedCoin, unifiedFigures } from "../../handlers/wire/asset.js";
import { inBtcAndUsdt, picked, text } from "../../handlers/wire/fields.js";
import { marginCoinsOf, ownFigures, sharedFigures } from "../../handlers/wire/futuresAccount.js";
import { walletOf, ZERO } from "../../world/ledger.js";
import { presentClassicMargin, presentUnifiedMargin } from "../../world/margin/present.js";
import { type State, usdtPrice } from "../../world/state.js";

/** Balances and margin in pushes. */

/** These figures apply in multi-asset mode only. */
const NO_UNION = { unionTotalMargin: "0", unionAvailable: "0", unionMm: "0" };

/** v3: the account with its coins; `changed` ones are included even with a balance of zero. */
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
    ...picked(shared, "available", "maxTransferOut", "usdtEquity", "unrealizedPL"),
    maxOpenPosAvailable: shared.crossedMaxAvailable,
    equity: own.accountEquity,
    crossedRiskRate: own.crossedRiskRate,
    ...NO_UNION,
    assetsMode: own.assetMode,
  };
}

/** v2 futures, all accounts of a category together. */
export function futuresEquity(state: State, uid: string, category: FuturesCategory): unknown {
  let equity = ZERO;
  let unrealised = ZERO;
  for (const coin of marginCoinsOf(state, category)) {
    const margin = presentClassicMargin(state, uid, category, coin);
    const price = usdtPrice(state, coin);
    equity = equity.plus(margin.equity.times(price));
    unrealised = unrealised.plus(margin.crossedUnrealised.plus(margin.isolatedUnrealised).times(price));
  }
  const { btc, usdt } = inBtcAndUsdt(equity, (coin) => usdtPrice(state, coin));
  return { btcEquity: btc, usdtEquity: usdt, unrealizedPL: text(unrealised), ...NO_UNION };
}
