import type { Clock } from "../clock.js";
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

/** Opens an exchange. Equal seeds, clocks and calls make exchanges that are equal to the last byte. */
export function openExchange(clock: Clock, seed: string): Exchange {
  const founded: Desks[] = [];
  const world = createWorld({
    clock,
    seed,
    found({ state }) {
      const desks = new Desks(backOffice(state), state.accounts, state.catalogue.coins);
      desks.open(seed);
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
