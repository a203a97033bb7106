import { Refused } from "../../refused.js";
import { dialectOf } from "../dialect.js";
import { ZERO } from "../ledger.js";
import { isOpen, type Order, type TpslTerms } from "../orders/order.js";
import { contractOf, type State } from "../state.js";
import type { PlanService } from "./planService.js";
import type { TpslRequest } from "./requests.js";

const KINDS = { takeProfit: "profit_plan", stopLoss: "loss_plan" } as const;

const tpslOf = ({ takeProfit, stopLoss }: Order): readonly TpslRequest[] => {
  const requestOf = (role: TpslRequest["role"], terms: TpslTerms | undefined): readonly TpslRequest[] =>
    terms === undefined ? [] : [{ role, ...terms }];
  return [...requestOf("takeProfit", takeProfit), ...requestOf("stopLoss", stopLoss)];
};

/** Take-profits and stop-losses attached to an order become active when it has ended, for its traded quantity. */
export class Presets {
  constructor(
    private readonly state: State,
    private readonly plans: PlanService,
  ) {}

  attach(): void {
    this.state.events.on((event) => {
      if (event.kind === "order" && !isOpen(event.order) && event.order.filledQuantity.gt(ZERO)) this.#enter(event.order);
    });
  }

  #enter(order: Order): void {
    const tpsl = tpslOf(order);
    if (tpsl.length === 0) return;
    try {
      if (order.position === undefined) this.#onSpot(order, tpsl);
      else this.#onPosition(order, tpsl);
    } catch (error) {
      // The price may have passed a trigger meanwhile; the order remains valid.
      if (!(error instanceof Refused)) throw error;
    }
  }

  /** v3 has both in one trigger order, Classic creates one for each. */
  #onPosition(order: Order, tpsl: readonly TpslRequest[]): void {
    const { uid, symbol, orderId, filledQuantity, stpMode } = order;
    const { category } = contractOf(this.state, order.category, symbol);
    const side = order.position?.posSide ?? (order.side === "buy" ? "long" : "short");
    const common = { uid, category, symbol, side, quantity: filledQuantity, stpMode, attachedTo: orderId } as const;
    if (dialectOf(this.state.accounts.of(uid), category) === "unified") {
      this.plans.placeTpsl({ ...common, kind: "tpsl", tpsl });
    } else {
      for (const one of tpsl) this.plans.placeTpsl({ ...common, kind: KINDS[one.role], tpsl: [one] });
    }
  }

  #onSpot(order: Order, tpsl: readonly TpslRequest[]): void {
    const { uid, category, symbol, orderId, fees, filledQuantity } = order;
    const { grid, instrument } = this.state.markets.of(category, symbol).listing;
    const received = grid.floored(filledQuantity.minus(fees.get(instrument.baseCoin) ?? ZERO));
    for (const { role, triggerPrice, triggerBy, limitPrice } of tpsl) {
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
