import { type DecimalText, type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import type { Sandbox } from "@exchange-graph/sandbox";
import { totalDebt } from "@exchange-graph/sandbox/world/funds/debts";
import { type WalletKind, walletOf } from "@exchange-graph/sandbox/world/ledger";
import { unrealised } from "@exchange-graph/sandbox/world/positions/position";
import { contractOf, markPrice, usdtPrice } from "@exchange-graph/sandbox/world/state";
import type { Pool } from "../../../../src/datasources/history/sample.js";

/** What an account holds, from the sandbox's own books: without the interface, and exact. */
export interface Truth {
  readonly at: number;
  /** By purse and coin, `UNIFIED BTC`. */
  readonly coins: ReadonlyMap<
    string,
    { readonly balance: DecimalText; readonly debt: DecimalText; readonly unrealisedPnl: DecimalText }
  >;
  readonly equity: DecimalText;
}

const UNIFIED = { UNIFIED: "unified" } as const;
const CLASSIC = {
  SPOT: "spot",
  "USDT-FUTURES": "usdt-futures",
  "USDC-FUTURES": "usdc-futures",
  "COIN-FUTURES": "coin-futures",
} as const;

const ZERO = exact("0");

/** What it holds now. */
export function truthOf({ world }: Sandbox, uid: string): Truth {
  world.advance();
  const { state } = world;
  const isUnified = state.accounts.of(uid).mode === "unified";
  const coins = new Map<string, { balance: DecimalText; debt: DecimalText; unrealisedPnl: DecimalText }>();
  let equity = ZERO;
  const pools: Partial<Record<Pool, WalletKind>> = isUnified ? UNIFIED : CLASSIC;
  for (const [pool, kind] of Object.entries(pools))
    for (const coin of state.catalogue.coins) {
      const wallet = walletOf(uid, kind);
      const profits = [...state.positions.open(uid)]
        .filter(({ category, marginCoin }) => marginCoin === coin && (isUnified || category === pool))
        .map((one) => unrealised(one, contractOf(state, one.category, one.symbol), markPrice(state, one.category, one.symbol)));
      const unrealisedPnl = profits.reduce((sum: Exact, profit) => sum.plus(profit), ZERO);
      const [balance, debt] = [state.ledger.held(wallet, coin), totalDebt(state.debts.of(wallet, coin))];
      if ([balance, debt, unrealisedPnl].every((amount) => amount.eq(ZERO))) continue;
      coins.set(`${pool} ${coin}`, { balance: plain(balance), debt: plain(debt), unrealisedPnl: plain(unrealisedPnl) });
      equity = equity.plus(balance.plus(unrealisedPnl).minus(debt).times(usdtPrice(state, coin)));
    }
  return { at: state.now(), coins, equity: plain(equity) };
}
