import { brokerSubAccountFuturesAssets } from "../../contract/broker.js";
import { classicFuturesAccount, futuresAccounts, subAccountFuturesAssets } from "../../contract/futuresAccount.js";
import type { FuturesCategory, FuturesProductType } from "../../contract/vocabulary.js";
import { type Exact, plain, truncated } from "../../decimal.js";
import type { BrokerDesk } from "../world/broker/brokerDesk.js";
import { tradingWallet } from "../world/funds/wallets.js";
import { ZERO } from "../world/ledger.js";
import { type ClassicMargin, classicMargin } from "../world/margin/classic.js";
import { type State, usdtPrice } from "../world/state.js";
import { type Handler, signed } from "./handler.js";
import { categoryOf, listed } from "./symbols.js";
import { inBtcAndUsdt } from "./worth.js";

const RATE_PLACES = 8;
const AMOUNT_PLACES = 8;
const text = (amount: Exact): string => plain(truncated(amount, AMOUNT_PLACES));

/** Futures accounts of the Classic generation: the caller's, of ordinary sub-accounts, and of a broker's. */
export function futuresAccountHandlers(state: State, broker: BrokerDesk): readonly Handler[] {
  const marginCoins = (productType: FuturesProductType): readonly [FuturesCategory, string][] => {
    const category = categoryOf(productType);
    if (category === undefined) return [];
    const coins = state.catalogue.futures
      .filter((contract) => contract.category === category)
      .map(({ contract }) => contract.marginCoin);
    return [...new Set(coins)].map((coin) => [category, coin]);
  };
  const accountsOf = (uid: string, productType: FuturesProductType) =>
    marginCoins(productType).map(([category, coin]) => ({ category, coin, margin: classicMargin(state, uid, category, coin) }));

  return [
    signed(futuresAccounts, ({ values, uid }) =>
      accountsOf(uid, values.productType).map(({ category, coin, margin }) => ({
        ...shared(state, coin, margin),
        ...own(state, uid, margin),
        // So spelt on the wire. The three figures mean something in multi-asset mode alone.
        unionTotalMagin: "0",
        unionAvailable: "0",
        unionMm: "0",
        assetList: assets(state, uid, category),
      })),
    ),

    signed(classicFuturesAccount, ({ values, uid }) => {
      const { instrument } = listed(state.markets, categoryOf(values.productType), values.symbol).listing;
      const category = instrument.contract?.category ?? "USDT-FUTURES";
      const coin = values.marginCoin.toUpperCase();
      const margin = classicMargin(state, uid, category, coin);
      const account = state.accounts.of(uid);
      const { marginMode, crossed, long, short } = account.setting(category, instrument.symbol);
      return {
        ...shared(state, coin, margin),
        ...own(state, uid, margin),
        crossedMarginLeverage: crossed,
        isolatedLongLever: long,
        isolatedShortLever: short,
        marginMode,
        posMode: account.holdMode(category),
      };
    }),

    // A user id is a bare number here.
    signed(subAccountFuturesAssets, ({ values, uid }) =>
      state.accounts.subAccounts(uid).map((sub) => ({
        userId: Number.parseInt(sub.uid, 10),
        assetList: accountsOf(sub.uid, values.productType).map(({ coin, margin }) => ({
          ...shared(state, coin, margin),
          accountEquity: text(margin.equity),
        })),
      })),
    ),

    signed(brokerSubAccountFuturesAssets, ({ values, uid }) => {
      const sub = broker.subAccount(uid, values.subUid);
      return {
        assetsList: accountsOf(sub.uid, values.productType).map(({ coin, margin }) => ({
          ...shared(state, coin, margin),
          frozen: plain(margin.balance.frozen),
          accountEquity: text(margin.equity),
          uTime: margin.balance.updatedTime === 0 ? "" : String(margin.balance.updatedTime),
        })),
      };
    }),
  ];
}

/** What every view of a futures account shows. Without a position the unrealised profit is empty text. */
function shared(state: State, coin: string, margin: ClassicMargin) {
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

/** What only the owner of the account sees. */
const own = (state: State, uid: string, margin: ClassicMargin) => ({
  accountEquity: text(margin.equity),
  crossedRiskRate: margin.crossedEquity.eq(ZERO)
    ? "0"
    : plain(truncated(margin.crossedMaintenance.div(margin.crossedEquity), RATE_PLACES)),
  isolatedMargin: text(margin.isolatedMargin),
  crossedMargin: text(margin.crossedMargin),
  crossedUnrealizedPL: text(margin.crossedUnrealised),
  isolatedUnrealizedPL: text(margin.isolatedUnrealised),
  assetMode: state.accounts.of(uid).assetMode,
});

/** What the wallet of a product type holds, by coin. */
function assets(state: State, uid: string, category: FuturesCategory): unknown {
  const wallet = tradingWallet(state.accounts.of(uid), category);
  return state.ledger.coins(wallet).map(([coin, { available }]) => ({
    coin,
    balance: plain(state.ledger.held(wallet, coin)),
    available: plain(available),
  }));
}
