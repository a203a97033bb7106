import { classicCancelFuturesOrder } from "@exchange-graph/contract/classicFuturesOrderWrites";
import type { FuturesCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { type ArgumentViolation, Fault } from "../../errors/index.js";
import { symbolRules } from "../../reads/index.js";
import { cancelOrderPolicy, classicCancelFuturesOrderPolicy, classicCancelSpotOrderPolicy } from "../policies/orders.js";
import { cancelStrategyOrderPolicy, classicCancelPlanOrdersPolicy } from "../policies/plans.js";
import { type Acknowledgement, acknowledgement } from "../policies/replies.js";
import { plan, problemsOf, type WriteOptions, type WritePlan, type WriteResult } from "../writePlan.js";
import type { RequestWrites } from "../writes.js";
import { mutation, planByMode, refuse, refuseBroken, type WithoutNulls } from "./mutation.js";

/** An order to cancel, by one of the two identifiers. */
export interface CancelOrderInput extends WriteOptions {
  readonly category: ProductCategory;
  /** Required on a Classic account. */
  readonly symbol?: string | null | undefined;
  readonly orderId?: string | null | undefined;
  readonly clientOid?: string | null | undefined;
  /** An order, or a trigger order of any kind (on Classic spot an order that waits for its trigger). */
  readonly kind?: "ORDER" | "PLAN_ORDER" | null | undefined;
  /** Kind of a Classic trigger order on futures. Default: a take-profit or stop-loss. */
  readonly planType?: "normal_plan" | "track_plan" | undefined;
}
type CancelOrder = WithoutNulls<CancelOrderInput>;

const send = mutation<CancelOrderInput, Acknowledgement>({
  name: "cancelOrder",
  reply: acknowledgement,
  plan: async (planning, order) => {
    if (order.orderId === undefined && order.clientOid === undefined) refuse("orderId", "must be given: orderId or clientOid");
    return planByMode(planning, order.category, {
      unified: () => unifiedCancel(order),
      classicFutures: (category) => classicFuturesCancel(order, category),
      classicSpot: () => classicSpotCancel(order),
    });
  },
});

/** Cancellations, by the calls that carry them: those of different calls can be requested independently of each other. */
export const cancelsByCall = send.byCall;

/**
 * Requests the cancellation of an order. Only the account's mode is read first, which is cached. If the exchange does not have
 * the order, its symbol is checked afterwards.
 */
export const cancelOrder = async (
  request: RequestWrites,
  account: ExchangeAccount,
  input: CancelOrderInput,
): Promise<WriteResult<Acknowledgement>> => explained(request, account, input, await send(request, account, input));

/** The same for several orders, with the fewest calls. Each has its own outcome. */
export async function cancelOrders(
  request: RequestWrites,
  account: ExchangeAccount,
  inputs: readonly CancelOrderInput[],
): Promise<readonly WriteResult<Acknowledgement>[]> {
  const results = await send.together(request, account, inputs);
  return Promise.all(
    inputs.map((input, at) => {
      const result = results[at];
      if (result === undefined) throw new TypeError("each cancellation has a result");
      return explained(request, account, input, result);
    }),
  );
}

/** The result, with the error for an unknown symbol if that is why the order was not found. */
async function explained(
  { reads }: RequestWrites,
  account: ExchangeAccount,
  { category, symbol }: CancelOrderInput,
  result: WriteResult<Acknowledgement>,
): Promise<WriteResult<Acknowledgement>> {
  const notFound = result.problems.find(({ code }) => code === "ORDER_NOT_FOUND");
  if (notFound === undefined || symbol === undefined || symbol === null) return result;
  try {
    await symbolRules(reads, await reads.modeOf(account), category, symbol);
    return result;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // An unreadable list says nothing about the symbol.
    if (error.code !== "BAD_USER_INPUT") return result;
    const { exchange } = notFound;
    const unknown = problemsOf(error).map((problem) => ({ ...problem, ...(exchange === undefined ? {} : { exchange }) }));
    return { ...result, problems: unknown };
  }
}

const { parameters } = classicCancelFuturesOrder;

/** In lists of trigger orders the identifiers are nested, so their rules are checked here. */
export const brokenIds = (ids: Pick<CancelOrder, "orderId" | "clientOid">): ArgumentViolation[] =>
  (["orderId", "clientOid"] as const).flatMap((argument) => {
    const id = ids[argument];
    const { accepts, allowed } = parameters[argument];
    return id === undefined || accepts(id) ? [] : [{ argument, rule: `must be ${allowed}` }];
  });

function unifiedCancel({ category, symbol, orderId, clientOid, kind }: CancelOrder): WritePlan<Acknowledgement> {
  if (kind !== "PLAN_ORDER") return plan(cancelOrderPolicy, { orderId, clientOid, category, symbol });
  return plan(cancelStrategyOrderPolicy, { orderId, clientOid, category });
}

const classicSpotCancel = ({ symbol, orderId, clientOid, kind }: CancelOrder): WritePlan<Acknowledgement> =>
  plan(classicCancelSpotOrderPolicy, { symbol, orderId, clientOid, tpslType: kind === "PLAN_ORDER" ? "tpsl" : undefined });

function classicFuturesCancel(
  { symbol, orderId, clientOid, kind, planType }: CancelOrder,
  category: FuturesCategory,
): WritePlan<Acknowledgement> {
  refuseBroken(brokenIds({ orderId, clientOid }));
  const fields = { productType: "category" };
  if (kind !== "PLAN_ORDER")
    return plan(classicCancelFuturesOrderPolicy, { symbol, productType: category, orderId, clientOid }, fields);
  return plan(
    classicCancelPlanOrdersPolicy,
    {
      productType: category,
      symbol,
      planType: planType ?? "profit_loss",
      orderIdList: [{ ...(orderId === undefined ? {} : { orderId }), ...(clientOid === undefined ? {} : { clientOid }) }],
    },
    fields,
  );
}
