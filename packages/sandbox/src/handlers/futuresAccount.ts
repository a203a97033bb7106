import { brokerSubAccountFuturesAssets } from "@exchange-graph/contract/broker";
import { plain } from "@exchange-graph/contract/decimal";
import { classicFuturesAccount, futuresAccounts, subAccountFuturesAssets } from "@exchange-graph/contract/futuresAccount";
import type { FuturesCategory, FuturesProductType } from "@exchange-graph/contract/vocabulary";
import type { BrokerService } from "../world/broker/brokerService.js";
import { tradingWallet } from "../world/funds/wallets.js";
import { presentClassicMargin } from "../world/margin/present.js";
import type { State } from "../world/state.js";
import { type Handler, signed } from "./handler.js";
import { categoryOf, contractIn } from "./symbols.js";
import { text } from "./wire/amounts.js";
import { marginCoinsOf, ownFigures, sharedFigures } from "./wire/futuresAccount.js";

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
