import { exact, plain, truncated } from "@exchange-graph/contract/decimal";
import type { SandboxInMemory } from "@exchange-graph/sandbox";
import type { Order } from "@exchange-graph/sandbox/world/orders/order";
import { instrumentOf, type State, usdtPrice } from "@exchange-graph/sandbox/world/state";
import type { OrderTerms } from "./actions.js";
import type { Auditor } from "./auditor.js";

/** Another user of the exchange, who trades with the orders of the clients. */
const OTHER_UID = "8800112255";

/** Price and quantity of an order at this moment. */
export function priced(
  state: State,
  { market: { category, symbol }, side, notional, distance }: Pick<OrderTerms, "market" | "side" | "notional" | "distance">,
) {
  const market = state.markets.of(category, symbol);
  const { grid } = market.listing;
  const last = market.listing.price(state.markets.tick);
  const away = side === "buy" ? 1 - distance : 1 + distance;
  const price = grid.price(Math.max(1, Math.round(grid.steps(last) * away)));
  const quote = instrumentOf(state, category, symbol).quoteCoin;
  const rate = quote === "USD" ? exact("1") : usdtPrice(state, quote);
  const spent = exact(notional.toFixed(2));
  const qty = plain(grid.floored(spent.div(price.times(rate))));
  return { price: plain(price), qty, quoteQty: plain(truncated(spent.div(rate), 2)), last, grid };
}

/** The `pick`-th of these orders, the newest first. */
export const newest = (open: readonly Order[], pick: number): Order | undefined =>
  open.at(-(1 + (pick % Math.max(1, open.length))));

/** The exchange's app, in which its users act without a gateway. */
export class App {
  constructor(
    private readonly exchange: SandboxInMemory,
    private readonly auditor: Auditor,
  ) {}

  setHoldMode(uid: string, isHedged: boolean): void {
    const { world } = this.exchange;
    world.advance();
    const isClassic = world.state.accounts.of(uid).mode === "classic";
    world.settings.setHoldMode(uid, isHedged ? "hedge_mode" : "one_way_mode", isClassic ? "USDT-FUTURES" : undefined);
  }

  /** A Classic account becomes a unified one, if the exchange allows it. */
  upgrade(uid: string): void {
    this.exchange.world.advance();
    this.exchange.world.modes.upgrade(uid);
  }

  /** Another user trades with a part of a client's open order, if no better price is in the market. */
  meet(uid: string, { pick, share }: { readonly pick: number; readonly share: number }): void {
    this.exchange.world.advance();
    const order = newest(this.auditor.open(uid), pick);
    if (order?.price === undefined) return;
    const { category, symbol, side, price, quantity, filledQuantity } = order;
    if (category === "MARGIN") return;
    const { grid } = this.exchange.world.state.markets.of(category, symbol).listing;
    const part = grid.floored(quantity.minus(filledQuantity).times(share.toFixed(3)));
    const taker = side === "buy" ? "sell" : "buy";
    this.auditor.app(() =>
      this.exchange.world.orders.place({
        ...{ uid: OTHER_UID, category, symbol, side: taker, orderType: "limit", price, quantity: part, timeInForce: "ioc" },
        ...(category === "SPOT" ? {} : { posSide: taker === "buy" ? "long" : "short" }),
      }),
    );
  }

  /** A trigger order that opens something. */
  trigger(uid: string, clientOid: string, order: OrderTerms): void {
    this.exchange.world.advance();
    const { market, side, posSide } = order;
    if (!market.category.endsWith("FUTURES")) return;
    const { price, qty } = priced(this.exchange.world.state, { ...order, distance: Math.abs(order.distance) + 0.001 });
    const request = {
      uid,
      ...market,
      side,
      posSide: posSide,
      orderType: "market",
      quantity: exact(qty),
    } as const;
    this.auditor.app(() =>
      this.exchange.world.plans.placeEntry({
        kind: "normal_plan",
        triggerPrice: exact(price),
        triggerBy: "market",
        order: { ...request, clientOid },
      }),
    );
  }

  /** Ends every order and position of a user. */
  flatten(uid: string): void {
    this.exchange.world.advance();
    const { world } = this.exchange;
    const { state } = world;
    this.auditor.app(() => {
      for (const order of [...state.orders.open(uid)]) world.service.cancel(order, "normal_cancel");
      for (const plan of world.planStore.waiting(uid)) world.plans.cancel(plan);
      for (const { category, symbol, side, size } of [...state.positions.open(uid)])
        world.orders.place({
          ...{ uid, category, symbol, side: side === "long" ? "sell" : "buy", posSide: side },
          ...{ orderType: "market", quantity: size, reduceOnly: true },
        });
    });
  }
}
