import type { ExchangeAccount } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import type { RequestWrites } from "../writes.js";
import { cancelOrders, cancelsByCall } from "./cancelOrder.js";
import {
  type CancelFailure,
  type Cancellation,
  type KeptOrder,
  type OpenOrders,
  readOrdersToEnd,
  readPlansToEnd,
} from "./openOrders.js";

/** Result of ending what can add risk on an account. */
interface CancelledOpen {
  /** Number of orders and trigger orders whose cancellation the exchange accepted. */
  readonly cancelled: number;
  readonly kept: readonly KeptOrder[];
  readonly failures: readonly CancelFailure[];
}

/** Number of concurrent calls: each is sent within its deadline, for any number of orders. */
const AT_ONCE = 8;
/**
 * Number of times that the lists are read: orders may be being sent, may just have been triggered, or their cancel may have been
 * refused.
 */
const ROUNDS = 3;

/**
 * Cancels all orders of the account that can add risk: open orders, and trigger orders of every kind, including those that were
 * being sent when it was called. Take-profits, stop-losses and trailing stops of existing positions are kept. `placedUpTo`: only
 * orders that were placed by then, Unix ms.
 */
export async function cancelOpenOrders(
  request: RequestWrites,
  account: ExchangeAccount,
  placedUpTo?: number,
): Promise<CancelledOpen> {
  const { reads, writes } = request;
  const ended = new Set<string>();
  const failed = new Map<string, Failed>();
  for (let round = 0; ; round++) {
    if (round === 1) await writes.writer.quiet(account);
    const isLast = round === ROUNDS;
    /** The orders of a list that can add risk and have not been cancelled. */
    const end = async (reading: Promise<OpenOrders>): Promise<OpenOrders> => {
      const found = await reading;
      const risky = found.risky.filter(({ orderId }) => !ended.has(orderId));
      const left = isLast ? [] : risky.filter(({ orderId }) => failed.get(orderId)?.mayRepeat !== false);
      const isLone = ({ orderId }: Cancellation): boolean => failed.get(orderId)?.mayBeForOthers === true;
      const together = await cancelsByCall(
        request,
        account,
        left.filter((order) => !isLone(order)),
      );
      const calls = [...together, ...left.filter(isLone).map((order) => [order])];
      const work = async (): Promise<void> => {
        for (let orders = calls.shift(); orders !== undefined; orders = calls.shift())
          for (const [orderId, failure] of await cancelled(request, account, orders))
            if (failure === undefined) ended.add(orderId);
            else failed.set(orderId, failure);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return { ...found, risky };
    };
    const plans = () => end(readPlansToEnd(reads, account, placedUpTo));
    const orders = () => end(readOrdersToEnd(reads, account, placedUpTo));
    // The first round reads both kinds of lists at once. Later rounds read trigger orders first, so that an order that is triggered
    // meanwhile is in one of the lists.
    const found = round === 0 ? await Promise.all([plans(), orders()]) : [await plans(), await orders()];
    const open = found.flatMap(({ risky }) => risky);
    if (!isLast && (round === 0 || open.length > 0)) continue;
    const unread = found.flatMap((one) => one.unread);
    // An order that could not be cancelled and is not listed any more has ended, unless a list could not be read.
    const isOpen = (orderId: string): boolean => unread.length > 0 || open.some((order) => order.orderId === orderId);
    const unended = [...failed].filter(([orderId]) => !ended.has(orderId) && isOpen(orderId)).map(([, failure]) => failure);
    const late = open.filter(({ orderId }) => !failed.has(orderId)).map(stillOpen);
    return {
      cancelled: new Set([...ended, ...failed.keys()]).size - unended.length,
      kept: found.flatMap(({ kept }) => kept),
      failures: [...unended.map(({ failure }) => failure), ...late, ...unread],
    };
  }
}

/**
 * The same for the accounts of one user, which have the same orders. While one is left that could not be cancelled, the key of the
 * next account is tried: keys have permissions of their own. Resolves to the account that was tried last, too.
 */
export async function cancelOpenOrdersOfUser(
  request: RequestWrites,
  [account, next, ...others]: readonly [ExchangeAccount, ...ExchangeAccount[]],
  placedUpTo?: number,
): Promise<CancelledOpen & { readonly account: ExchangeAccount }> {
  const first = await cancelOpenOrders(request, account, placedUpTo);
  if (first.failures.length === 0 || next === undefined) return { ...first, account };
  const rest = await cancelOpenOrdersOfUser(request, [next, ...others], placedUpTo);
  return { ...rest, cancelled: first.cancelled + rest.cancelled };
}

/** A cancellation without effect, or with an unknown outcome. */
interface Failed {
  readonly failure: CancelFailure;
  /** Whether it certainly had no effect, so that it may be sent again at once. */
  readonly mayRepeat: boolean;
  /** Whether it may have been refused because of another order in its call, so that it is repeated by itself. */
  readonly mayBeForOthers: boolean;
}

const stillOpen = ({ orderId, symbol }: Cancellation): CancelFailure => ({
  orderId,
  symbol,
  why: "it was placed while the others were cancelled",
});

/** The failure by identifier; undefined for an order that was cancelled or no longer exists. */
async function cancelled(
  request: RequestWrites,
  account: ExchangeAccount,
  orders: readonly Cancellation[],
): Promise<readonly (readonly [orderId: string, failure: Failed | undefined])[]> {
  const failed = ({ orderId, symbol }: Cancellation, why: string, more: Omit<Failed, "failure">): [string, Failed] => [
    orderId,
    { failure: { orderId, symbol, why }, ...more },
  ];
  try {
    const results = await cancelOrders(request, account, orders);
    return orders.map((order, at) => {
      const { outcome, problems = [] } = results[at] ?? {};
      if (outcome === "ACCEPTED" || problems.some(({ code }) => code === "ORDER_NOT_FOUND")) return [order.orderId, undefined];
      if (outcome !== "REJECTED")
        return failed(order, "it is not known yet whether it was cancelled", { mayRepeat: false, mayBeForOthers: false });
      const mayBeForOthers = problems.some(({ retryable }) => !retryable);
      return failed(order, problems.map(({ message }) => message).join("; "), { mayRepeat: true, mayBeForOthers });
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { message } = error;
    return orders.map((order) => failed(order, message, { mayRepeat: true, mayBeForOthers: false }));
  }
}
