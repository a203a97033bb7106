import { Refused } from "../../refused.js";
import { dialectOf } from "../dialect.js";
import { ZERO } from "../ledger.js";
import { type ExitTerms, isOpen, type Order } from "../orders/order.js";
import { contractOf, type State } from "../state.js";
import type { PlanService } from "./planService.js";
import type { ExitRequest } from "./requests.js";

const KINDS = { takeProfit: "profit_plan", stopLoss: "loss_plan" } as const;

const exitsOf = ({ takeProfit, stopLoss }: Order): readonly ExitRequest[] => {
  const exit = (role: ExitRequest["role"], terms: ExitTerms | undefined): readonly ExitRequest[] =>
    terms === undefined ? [] : [{ role, ...terms }];
  return [...exit("takeProfit", takeProfit), ...exit("stopLoss", stopLoss)];
};

/** Take-profits and stop-losses attached to an order become active when it has ended, for its traded quantity. */
export class Presets {
  constructor(
    private readonly state: State,
    private readonly plans: PlanService,
  ) {}

  /** Subscribes to all further orders. */
  attach(): void {
    this.state.events.on((event) => {
      if (event.kind === "order" && !isOpen(event.order) && event.order.filledQuantity.gt(ZERO)) this.#enter(event.order);
    });
  }

  #enter(order: Order): void {
    const exits = exitsOf(order);
    if (exits.length === 0) return;
    try {
      if (order.position === undefined) this.#onSpot(order, exits);
      else this.#onPosition(order, exits);
    } catch (error) {
      // The price may have passed a trigger meanwhile; the order remains valid.
      if (!(error instanceof Refused)) throw error;
    }
  }

  /** v3 has both in one trigger order, Classic creates one for each. */
  #onPosition(order: Order, exits: readonly ExitRequest[]): void {
    const { uid, symbol, orderId, filledQuantity, stpMode } = order;
    const { category } = contractOf(this.state, order.category, symbol);
    const side = order.position?.posSide ?? (order.side === "buy" ? "long" : "short");
    const common = { uid, category, symbol, side, quantity: filledQuantity, stpMode, attachedTo: orderId } as const;
    if (dialectOf(this.state.accounts.of(uid), category) === "unified") {
      this.plans.placeExit({ ...common, kind: "tpsl", exits });
    } else {
      for (const exit of exits) this.plans.placeExit({ ...common, kind: KINDS[exit.role], exits: [exit] });
    }
  }

  #onSpot(order: Order, exits: readonly ExitRequest[]): void {
    const { uid, category, symbol, orderId, fees, filledQuantity } = order;
    const { grid, instrument } = this.state.markets.of(category, symbol).listing;
    const received = grid.floored(filledQuantity.minus(fees.get(instrument.baseCoin) ?? ZERO));
    for (const { role, triggerPrice, triggerBy, limitPrice } of exits) {
      this.plans.placeEntry({
        kind: "spot",
        role,
        triggerPrice,
        triggerBy,
        attachedTo: orderId,
        order: {
          uid,
          category,
          symbol,
          side: order.side === "buy" ? "sell" : "buy",
          orderType: limitPrice === undefined ? "market" : "limit",
          price: limitPrice,
          quantity: received,
        },
      });
    }
  }
}
