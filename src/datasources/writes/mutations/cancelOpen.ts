import type { ExchangeAccount } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import type { RequestWrites } from "../requestWrites.js";
import { cancelOrder } from "./cancelOrder.js";
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

/** Number of concurrent cancels: each is sent within its deadline, for any number of orders. */
const AT_ONCE = 8;
/** Orders that were being sent, that have just been triggered, or whose cancel was refused are listed again so often. */
const ROUNDS = 3;

/**
 * Cancels all orders of the account that can add risk: open orders, and trigger orders of every kind, including those that were
 * being sent when it was called. Take-profits, stop-losses and trailing stops of existing positions are kept.
 */
export async function cancelOpenOrders(request: RequestWrites, account: ExchangeAccount): Promise<CancelledOpen> {
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
      const work = async (): Promise<void> => {
        for (let order = left.shift(); order !== undefined; order = left.shift()) {
          const failure = await cancelled(request, account, order);
          if (failure === undefined) ended.add(order.orderId);
          else failed.set(order.orderId, failure);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return { ...found, risky };
    };
    const plans = () => end(readPlansToEnd(reads, account));
    const orders = () => end(readOrdersToEnd(reads, account));
    // At first neither waits for the lists of the other. Later the order of a trigger that is reached meanwhile is in one of them.
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

/** A cancellation without effect, or of which it is not known yet. */
interface Failed {
  readonly failure: CancelFailure;
  /** Whether it certainly had no effect, so that it may be sent again at once. */
  readonly mayRepeat: boolean;
}

const stillOpen = ({ orderId, symbol }: Cancellation): CancelFailure => ({
  orderId,
  symbol,
  why: "it was placed while the others were cancelled",
});

/** Undefined if the order was cancelled, or was gone already. */
async function cancelled(request: RequestWrites, account: ExchangeAccount, order: Cancellation): Promise<Failed | undefined> {
  const { orderId, symbol } = order;
  const failed = (why: string, mayRepeat: boolean): Failed => ({ failure: { orderId, symbol, why }, mayRepeat });
  try {
    const { outcome, problems } = await cancelOrder(request, account, order);
    if (outcome === "ACCEPTED" || problems.some(({ code }) => code === "ORDER_NOT_FOUND")) return undefined;
    if (outcome === "REJECTED") return failed(problems.map(({ message }) => message).join("; "), true);
    return failed("it is not known yet whether it was cancelled", false);
  } catch (error) {
    if (error instanceof Fault) return failed(error.message, true);
    throw error;
  }
}
