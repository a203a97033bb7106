import type { Clock } from "@exchange-graph/contract/clock";
import type { BackOffice } from "./world/backOffice.js";
import { Desks } from "./world/desks.js";
import { fundsWallet } from "./world/funds/wallets.js";
import { type State, usdtPrice } from "./world/state.js";
import { createWorld, type World } from "./world/world.js";

/** The exchange without its interfaces: trading, and the business beside it. */
export interface Exchange {
  readonly world: World;
  readonly desks: Desks;
}

/** What makes two exchanges equal to the last byte, together with the calls they answer. */
interface ExchangeOptions {
  readonly clock: Clock;
  readonly seed: string;
  /** Without a past the accounts have balances and nothing else: no position, no loan, no history. */
  readonly hasPast?: boolean;
}

/** Opens an exchange. */
export function openExchange({ clock, seed, hasPast = true }: ExchangeOptions): Exchange {
  const founded: Desks[] = [];
  const world = createWorld({
    clock,
    seed,
    hasPast,
    found({ state }) {
      const desks = new Desks(backOffice(state), state.accounts, state.catalogue.coins);
      if (hasPast) desks.open(seed);
      founded.push(desks);
    },
  });
  const [desks] = founded;
  if (desks === undefined) throw new Error("the world was made without its desks");
  desks.keepReviewing(world.timeline);
  return { world, desks };
}

const backOffice = (state: State): BackOffice => ({
  now: state.now,
  ledger: state.ledger,
  ids: state.ids,
  usdtPrice: (coin) => usdtPrice(state, coin),
  fundsOf: (uid) => fundsWallet(state.accounts.of(uid)),
});
