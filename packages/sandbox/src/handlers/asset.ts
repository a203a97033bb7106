import { classicSpotAssets, fundingAssets, unifiedAssets } from "@exchange-graph/contract/asset";
import { brokerSubAccountFuturesAssets } from "@exchange-graph/contract/broker";
import { type Exact, plain } from "@exchange-graph/contract/decimal";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { classicFuturesAccount, futuresAccounts, subAccountFuturesAssets } from "@exchange-graph/contract/futuresAccount";
import { inCapitals, isNamed } from "@exchange-graph/contract/letterCase";
import { classicMarginMaxTransfer, maxTransferable, maxWithdrawal } from "@exchange-graph/contract/maximum";
import type { FuturesCategory, FuturesProductType } from "@exchange-graph/contract/vocabulary";
import { Refused } from "../refused.js";
import type { BrokerService } from "../world/broker/brokerService.js";
import { tradingWallet } from "../world/funds/wallets.js";
import { walletOf, ZERO } from "../world/ledger.js";
import { presentClassicMargin, presentUnifiedMargin } from "../world/margin/present.js";
import { Remembered } from "../world/moments.js";
import { type State, usdtPrice } from "../world/state.js";
import type { Transfers } from "../world/transfers.js";
import { type Handler, signed } from "./handler.js";
import { categoryOf, contractIn } from "./symbols.js";
import { isHeld, ratio, spotBalances, unifiedCoin, unifiedFigures } from "./wire/asset.js";
import { inBtcAndUsdt, text } from "./wire/fields.js";
import { marginCoinsOf, ownFigures, sharedFigures } from "./wire/futuresAccount.js";

export function assetHandlers(state: State): readonly Handler[] {
  const { ledger, catalogue } = state;

  return [
    signed(unifiedAssets, ({ uid }) => accounts.at(state.moments.of(uid), "all", () => unifiedAccount(state, uid))),

    signed(fundingAssets, ({ values, uid }) => {
      const wallet = walletOf(uid, "funding");
      return ledger
        .coins(wallet)
        .filter(([coin]) => isNamed(coin, values.coin) && !ledger.held(wallet, coin).eq(ZERO))
        .map(([coin, { available, frozen }]) => ({
          coin,
          available: plain(available),
          frozen: plain(frozen),
          balance: plain(ledger.held(wallet, coin)),
        }));
    }),

    signed(classicSpotAssets, ({ values, uid }) =>
      spotBalances(ledger, uid, catalogue.coins, values).map((balance) => ({ ...balance, limitAvailable: "0" })),
    ),
  ];
}

const accounts = new Remembered<ReturnType<typeof unifiedAccount>>();

function unifiedAccount(state: State, uid: string) {
  const inCoins = (usd: Exact) => inBtcAndUsdt(usd, (coin) => usdtPrice(state, coin));
  const margin = presentUnifiedMargin(state, uid);
  const equity = inCoins(margin.equity);
  const unrealised = inCoins(margin.unrealised);
  const { equity: accountEquity, unrealised: unrealisedPnl, ...figures } = unifiedFigures(margin);
  return {
    accountEquity,
    usdtEquity: equity.usdt,
    btcEquity: equity.btc,
    unrealisedPnl,
    usdtUnrealisedPnl: unrealised.usdt,
    // Spelled like this on the wire; the two keys before it have an s.
    btcUnrealizedPnl: unrealised.btc,
    ...figures,
    positionValue: text(margin.positionValue),
    leverage: ratio(margin.positionValue, margin.effective),
    assets: margin.coins.filter(isHeld).map(unifiedCoin),
  };
}

/** How much of a coin can leave a wallet. */
export function maximumHandlers({ ledger, catalogue }: State, transfers: Transfers): readonly Handler[] {
  const coinOf = (name: string): string => {
    const coin = inCapitals(name);
    if (!catalogue.coins.includes(coin)) throw new Refused(REFUSAL.unknownValue, "coin");
    return coin;
  };
  return [
    // Transfers do not borrow here.
    signed(maxTransferable, ({ values, uid }) => {
      const coin = coinOf(values.coin);
      const most = text(transfers.transferable({ uid, kind: "unified" }, coin));
      return { coin, maxTransfer: most, borrowMaxTransfer: most };
    }),
    // Withdrawals leave from the funding account alone.
    signed(maxWithdrawal, ({ values, uid }) => {
      const coin = coinOf(values.coin);
      const most = text(ledger.balance(walletOf(uid, "funding"), coin).available);
      return { coin, otcMaxWithdrawal: "0", spotMaxWithdrawal: most, utaMaxWithdrawal: "0", totalMaxWithdrawal: most };
    }),
    signed(classicMarginMaxTransfer, ({ values, uid }) => {
      const coin = coinOf(values.coin);
      return { coin, maxTransferOutAmount: text(transfers.transferable({ uid, kind: "crossed-margin" }, coin)) };
    }),
  ];
}

/** Futures accounts of the Classic API: the client's, of ordinary sub-accounts, and of a broker's. */
export function futuresAccountHandlers(state: State, broker: BrokerService): readonly Handler[] {
  const accountsOf = (uid: string, productType: FuturesProductType) => {
    const category = categoryOf(productType);
    return marginCoinsOf(state, category).map((coin) => ({
      category,
      coin,
      margin: presentClassicMargin(state, uid, category, coin),
    }));
  };

  return [
    signed(futuresAccounts, ({ values, uid }) =>
      accountsOf(uid, values.productType).map(({ category, coin, margin }) => ({
        ...sharedFigures(state, coin, margin),
        ...ownFigures(state, uid, margin),
        // Spelled like this on the wire. The three figures apply in multi-asset mode only.
        unionTotalMagin: "0",
        unionAvailable: "0",
        unionMm: "0",
        assetList: assets(state, uid, category),
      })),
    ),

    signed(classicFuturesAccount, ({ values, uid }) => {
      const { category, symbol, contract } = contractIn(state.markets, categoryOf(values.productType), values);
      const coin = contract.marginCoin;
      const margin = presentClassicMargin(state, uid, category, coin);
      const account = state.accounts.of(uid);
      const { marginMode, crossed, long, short } = account.setting(category, symbol);
      return {
        ...sharedFigures(state, coin, margin),
        ...ownFigures(state, uid, margin),
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
          ...sharedFigures(state, coin, margin),
          accountEquity: text(margin.equity),
        })),
      })),
    ),

    signed(brokerSubAccountFuturesAssets, ({ values, uid }) => {
      const sub = broker.subAccount(uid, values.subUid);
      return {
        assetsList: accountsOf(sub.uid, values.productType).map(({ coin, margin }) => {
          const { coupon, ...shared } = sharedFigures(state, coin, margin);
          return {
            ...shared,
            frozen: plain(margin.balance.frozen),
            locked: plain(margin.balance.locked),
            accountEquity: text(margin.equity),
            uTime: margin.balance.updatedTime === 0 ? "" : String(margin.balance.updatedTime),
          };
        }),
      };
    }),
  ];
}

function assets(state: State, uid: string, category: FuturesCategory): unknown {
  const wallet = tradingWallet(state.accounts.of(uid), category);
  return state.ledger.coins(wallet).map(([coin, { available }]) => ({
    coin,
    balance: plain(state.ledger.held(wallet, coin)),
    available: plain(available),
  }));
}
