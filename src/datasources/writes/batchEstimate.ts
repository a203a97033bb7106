import { type DecimalText, type Exact, exact, plain, truncated } from "@exchange-graph/contract/decimal";
import type { OrderEstimate, OrdersAhead, WritePlan } from "./writePlan.js";

/** Total cost of orders that use the same funds: decimal text, null if the cost of one of them is not known. */
export interface FundsEstimate
  extends Pick<
    OrderEstimate,
    "cost" | "costCoin" | "fee" | "margin" | "required" | "requiredCoin" | "available" | "isAffordable"
  > {}

export interface BatchEstimate {
  readonly funds: readonly FundsEstimate[];
  readonly isAffordable: boolean | null;
  /** Largest factor by which all quantities can be multiplied; null if not known. */
  readonly maxFactor: DecimalText | null;
}

const PLACES = 8;
const ZERO = exact("0");

/** The estimate of each order after those before it. */
export async function estimatesInTurn(plans: readonly WritePlan<unknown>[]): Promise<readonly (OrderEstimate | null)[]> {
  const ahead: OrdersAhead = new Map();
  const estimates: (OrderEstimate | null)[] = [];
  for (const plan of plans) estimates.push((await plan.estimate?.(ahead)) ?? null);
  return estimates;
}

/** The total of the estimates of a batch, each of which counts after the orders before it. Null if one of them is not known. */
export function batchEstimate(estimates: readonly (OrderEstimate | null)[]): BatchEstimate | null {
  const all = estimates.filter((one) => one !== null);
  if (all.length === 0 || all.length < estimates.length) return null;
  const factors = new Map([...groupedBy(all, ({ funds }) => funds)].map(([funds, some]) => [funds, factorOf(some)]));
  const rows = [
    ...groupedBy(all, ({ funds, costCoin, requiredCoin }) => [funds, costCoin, requiredCoin].join("/")).values(),
  ].flatMap((some): FundsEstimate[] => {
    const [first] = some;
    if (first === undefined) return [];
    const { costCoin, requiredCoin, available, funds } = first;
    const factor = factors.get(funds);
    return [
      {
        ...{ costCoin, requiredCoin, available },
        cost: sum(some, "cost") ?? "0",
        fee: sum(some, "fee"),
        margin: sum(some, "margin"),
        required: sum(some, "required"),
        isAffordable: factor === undefined ? null : factor === "any" || factor.gte("1"),
      },
    ];
  });
  const ratios = [...factors.values()];
  const bounds = ratios.filter((factor) => factor !== undefined && factor !== "any").toSorted((one, other) => one.cmp(other));
  const [least] = bounds;
  const isKnown = !ratios.includes(undefined);
  const isProportional = all.every((one) => one.isProportional);
  return {
    funds: rows,
    isAffordable: least?.lt("1") === true ? false : isKnown ? true : null,
    maxFactor: isKnown && isProportional && least !== undefined ? plain(truncated(least, PLACES)) : null,
  };
}

/**
 * By the index of each order: the funds that the orders before it leave, in the coin that it requires; undefined if they suffice.
 */
export function leftBefore(estimates: readonly (OrderEstimate | null)[]): readonly (DecimalText | undefined)[] {
  const used = new Map<string, Exact>();
  return estimates.map((one) => {
    if (one?.available === undefined || one.available === null || one.required === null) return undefined;
    const { funds, required } = one;
    const [available, before] = [exact(one.available), used.get(funds) ?? ZERO];
    if (available.lte(ZERO)) return undefined;
    used.set(funds, before.plus(exact(required).div(available)));
    const left = available.minus(before.times(available));
    return exact(required).lte(left) ? undefined : plain(left.gt(ZERO) ? truncated(left, PLACES) : ZERO);
  });
}

/** How often the funds suffice for these orders; undefined if that is not known. */
function factorOf(estimates: readonly OrderEstimate[]): Exact | "any" | undefined {
  let share = ZERO;
  for (const { required, available } of estimates) {
    if (required === null || available === null) return undefined;
    if (exact(required).eq(ZERO)) continue;
    if (exact(available).lte(ZERO)) return ZERO;
    share = share.plus(exact(required).div(available));
  }
  return share.eq(ZERO) ? "any" : exact("1").div(share);
}

const sum = (estimates: readonly OrderEstimate[], name: "cost" | "fee" | "margin" | "required"): DecimalText | null =>
  estimates.reduce<DecimalText | null>((total, { [name]: one }) => {
    return total === null || one === null ? null : plain(exact(total).plus(one));
  }, "0");

function groupedBy<T>(all: readonly T[], nameOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(nameOf(one)) ?? [];
    groups.set(nameOf(one), group);
    group.push(one);
  }
  return groups;
}
