import { ManualClock } from "@exchange-graph/contract/clock";
import { type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { Refused } from "../../src/refused.js";
import type { Wallet } from "../../src/world/ledger.js";
import { BROKER_UID, CLASSIC_UID, MAIN_UID } from "../../src/world/opening/initialAccounts.js";
import type { Order, OrderRequest } from "../../src/world/orders/order.js";
import { createWorld, type World } from "../../src/world/world.js";
import type { WorldEvent } from "../../src/world/worldEvents.js";

export const START = Date.UTC(2026, 0, 15, 10, 30);
export { BROKER_UID, CLASSIC_UID, MAIN_UID };

export interface Stage {
  readonly clock: ManualClock;
  readonly world: World;
  readonly events: WorldEvent[];
  /** Moves the clock and the world. */
  pass(ms: number): void;
}

/** A fresh world with a clock that moves when it is advanced. */
export function stage(seed = "test", start = START): Stage {
  const clock = new ManualClock(start);
  const world = createWorld({ clock, seed, hasPast: false });
  const events: WorldEvent[] = [];
  world.state.events.on((event) => events.push(event));
  return {
    clock,
    world,
    events,
    pass(ms) {
      clock.advance(ms);
      world.advance();
    },
  };
}

/** The present last price of a symbol, moved by a percentage and put on the grid. */
export function priced({ world }: Stage, category: ProductCategory, symbol: string, percent = 0): Exact {
  const { markets } = world.state;
  const { listing } = markets.of(category, symbol);
  const moved = listing
    .price(markets.tick)
    .times(String(100 + percent))
    .div("100");
  return listing.grid.price(listing.grid.steps(moved));
}

/** Places an order and returns it. */
export const place = ({ world }: Stage, request: OrderRequest): Order => world.orders.place(request).order;

/** A balance as text: available, frozen, locked. */
export function shown({ world }: Stage, wallet: Wallet, coin: string): readonly string[] {
  const { available, frozen, locked } = world.state.ledger.balance(wallet, coin);
  return [available, frozen, locked].map(plain);
}

/** The code with which something is refused. */
export function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Refused) return error.refusal.code;
    throw error;
  }
  return "00000";
}

export const d = exact;
