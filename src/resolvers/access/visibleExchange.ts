import type { Exchange } from "../../datasources/index.js";
import { Rights } from "./rights.js";

const known = new WeakMap<Exchange, WeakMap<Rights, Exchange>>();

/**
 * The exchange with those accounts alone that somebody sees: all that resolvers ever look accounts up in, so that an
 * account which is not seen is as if it were not there. Made once for the same rights.
 */
export function visibleExchange(exchange: Exchange, rights: Rights): Exchange {
  if (rights === Rights.ALL) return exchange;
  const views = known.get(exchange) ?? new WeakMap<Rights, Exchange>();
  known.set(exchange, views);
  const view = views.get(rights) ?? limited(exchange, rights);
  views.set(rights, view);
  return view;
}

function limited(exchange: Exchange, rights: Rights): Exchange {
  const seen = () => exchange.accounts.filter(({ name }) => rights.sees(name));
  return {
    ...exchange,
    get accounts() {
      return seen();
    },
    get signer() {
      return exchange.signer;
    },
    account: (name) => (name === undefined || name === null ? seen()[0] : seen().find((one) => one.name === name)),
  };
}
