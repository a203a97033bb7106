import { classicSpotAssets, fundingAssets, unifiedAssets } from "../../contract/asset.js";
import { type Exact, plain, truncated } from "../../decimal.js";
import { type Balance, walletOf, ZERO } from "../world/ledger.js";
import { type UnifiedCoin, unifiedMargin } from "../world/margin/unified.js";
import { type State, usdtPrice } from "../world/state.js";
import { type Handler, signed } from "./handler.js";
import { inBtcAndUsdt } from "./worth.js";

const AMOUNT_PLACES = 8;
const text = (amount: Exact): string => plain(truncated(amount, AMOUNT_PLACES));
const ratio = (part: Exact, whole: Exact): string => (whole.eq(ZERO) ? "0" : text(part.div(whole)));

/** What accounts hold. */
export function assetHandlers(state: State): readonly Handler[] {
  const { ledger, catalogue } = state;
  const inCoins = (usd: Exact) => inBtcAndUsdt(usd, (coin) => usdtPrice(state, coin));

  return [
    signed(unifiedAssets, ({ uid }) => {
      const margin = unifiedMargin(state, uid);
      const equity = inCoins(margin.equity);
      const unrealised = inCoins(margin.unrealised);
      return {
        accountEquity: text(margin.equity),
        usdtEquity: equity.usdt,
        btcEquity: equity.btc,
        unrealisedPnl: text(margin.unrealised),
        usdtUnrealisedPnl: unrealised.usdt,
        // So spelt on the wire, where the two before it have an s.
        btcUnrealizedPnl: unrealised.btc,
        effEquity: text(margin.effective),
        mmr: text(margin.maintenance),
        imr: text(margin.initial),
        mgnRatio: ratio(margin.maintenance, margin.effective),
        positionMgnRatio: ratio(margin.positionMaintenance, margin.effective),
        positionValue: text(margin.positionValue),
        leverage: ratio(margin.positionValue, margin.effective),
        bonus: "0",
        assets: margin.coins.filter(({ equity: amount, debt }) => !amount.eq(ZERO) || !debt.eq(ZERO)).map(unifiedCoin),
      };
    }),

    signed(fundingAssets, ({ values, uid }) => {
      const wallet = walletOf(uid, "funding");
      const wanted = values.coin?.toUpperCase();
      return ledger
        .coins(wallet)
        .filter(([coin]) => (wanted ?? coin) === coin && !ledger.held(wallet, coin).eq(ZERO))
        .map(([coin, { available, frozen }]) => ({
          coin,
          available: plain(available),
          frozen: plain(frozen),
          balance: plain(ledger.held(wallet, coin)),
        }));
    }),

    signed(classicSpotAssets, ({ values, uid }) => {
      const wallet = walletOf(uid, "spot");
      const held = ledger.coins(wallet).map(([coin]) => coin);
      const shown = values.assetType === "all" ? catalogue.coins : held.filter((coin) => !ledger.held(wallet, coin).eq(ZERO));
      const wanted = values.coin === undefined ? shown : [values.coin.toUpperCase()];
      return wanted.map((coin) => ({ ...spotBalance(coin, ledger.balance(wallet, coin)), limitAvailable: "0" }));
    }),
  ];
}

const unifiedCoin = (row: UnifiedCoin): unknown => ({
  coin: row.coin,
  equity: text(row.equity),
  usdValue: text(row.usdValue),
  balance: plain(row.balance),
  available: text(row.available.plus(row.unrealised)),
  debt: text(row.debt),
  locked: plain(row.locked),
});

/** A coin of a spot wallet. */
export const spotBalance = (coin: string, { available, frozen, locked, updatedTime }: Balance) => ({
  coin,
  available: plain(available),
  frozen: plain(frozen),
  locked: plain(locked),
  uTime: updatedTime === 0 ? "" : String(updatedTime),
});
