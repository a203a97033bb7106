import { causeOf } from "../cause.js";
import { totalDebt } from "../funds/debts.js";
import { houseWallet, type Wallet, ZERO } from "../ledger.js";
import { down, least, up } from "../money.js";
import { type State, usdtPrice } from "../state.js";

const MARKET = houseWallet("market");
const INSURANCE = houseWallet("insurance");

/** Pays the debts of an insolvent wallet: its other coins are sold at the market price, and the insurance fund pays the rest. */
export function settleDebts(state: State, wallet: Wallet): void {
  for (const [coin] of [...state.debts.all(wallet)]) {
    for (const [held] of state.ledger.coins(wallet)) {
      if (held !== coin && !state.debts.all(wallet).some(([owing]) => owing === held)) sell(state, wallet, held, coin);
    }
    const missing = totalDebt(state.debts.of(wallet, coin)).minus(state.ledger.balance(wallet, coin).available);
    if (missing.gt(ZERO)) state.ledger.move(INSURANCE, wallet, coin, missing, causeOf("insurance"));
    state.debts.repay(wallet, coin);
  }
}

/** Sells the amount of a coin that covers the debt in another one. */
function sell(state: State, wallet: Wallet, held: string, coin: string): void {
  const missing = totalDebt(state.debts.of(wallet, coin)).minus(state.ledger.balance(wallet, coin).available);
  if (missing.lte(ZERO)) return;
  const price = usdtPrice(state, held).div(usdtPrice(state, coin));
  const paid = least(state.ledger.balance(wallet, held).available, up(missing.div(price)));
  const taken = least(missing, down(paid.times(price)));
  state.ledger.move(wallet, MARKET, held, paid, causeOf("liquidation"));
  state.ledger.move(MARKET, wallet, coin, taken, causeOf("liquidation"));
}
