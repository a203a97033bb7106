import type { BackOffice } from "./world/backOffice.js";
import { fundsWallet } from "./world/funds/wallets.js";
import { Services } from "./world/services.js";
import { type State, usdtPrice } from "./world/state.js";
import { createWorld, type World, type WorldOptions } from "./world/world.js";

/** The exchange without its interfaces: trading, and the other services. */
export interface SandboxExchange {
  readonly world: World;
  readonly services: Services;
}

/** Two exchanges with equal options that receive equal calls are identical to the last byte. */
export type ExchangeOptions = Omit<WorldOptions, "found">;

export function openExchange({ hasPast = true, ...options }: ExchangeOptions): SandboxExchange {
  const founded: Services[] = [];
  const world = createWorld({
    ...options,
    hasPast,
    found({ state }) {
      const services = new Services(backOffice(state), state.accounts, state.catalogue.coins);
      if (hasPast) services.open(options.seed);
      founded.push(services);
    },
  });
  const [services] = founded;
  if (services === undefined) throw new Error("the world was made without its services");
  services.keepReviewing(world.timeline);
  return { world, services };
}

const backOffice = (state: State): BackOffice => ({
  now: state.now,
  ledger: state.ledger,
  ids: state.ids,
  usdtPrice: (coin) => usdtPrice(state, coin),
  fundsOf: (uid) => fundsWallet(state.accounts.of(uid)),
});
