import type { ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { Fault } from "../../fault.js";
import type { RequestReads } from "../../requestReads.js";
import { cancelOrder } from "../mutations/cancelOrder.js";
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
/** Orders that were being sent are listed again afterwards, as are those of trigger orders that were just triggered, and once more. */
const ROUNDS = 3;

/**
 * Cancels all orders of the account that can add risk: open orders, and trigger orders of every kind, including those that were
 * being sent when it was called. Take-profits, stop-losses and trailing stops of existing positions are kept.
 */
export async function cancelOpenOrders(reads: RequestReads, account: ExchangeAccount): Promise<CancelledOpen> {
  const ended = new Map<string, CancelFailure | undefined>();
  for (let round = 0; ; round++) {
    if (round === 1) await reads.exchange.writes.writer.quiet(account);
    const isLast = round === ROUNDS;
    const end = async (reading: Promise<OpenOrders>): Promise<OpenOrders> => {
      const found = await reading;
      const left = found.risky.filter(({ orderId }) => !ended.has(orderId));
      const work = async (): Promise<void> => {
        for (let order = left.shift(); order !== undefined; order = left.shift())
          ended.set(order.orderId, isLast ? stillOpen(order) : await cancelled(reads, account, order));
      };
      const hasLeft = left.length > 0;
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return hasLeft ? found : { ...found, risky: [] };
    };
    const plans = () => end(readPlansToEnd(reads, account));
    const orders = () => end(readOrdersToEnd(reads, account));
    // At first neither waits for the lists of the other. Later the order of a trigger that is reached meanwhile is in one of them.
    const found = round === 0 ? await Promise.all([plans(), orders()]) : [await plans(), await orders()];
    if (!isLast && (round === 0 || found.some(({ risky }) => risky.length > 0))) continue;
    const failures = [...ended.values()].filter((one) => one !== undefined);
    return {
      cancelled: ended.size - failures.length,
      kept: found.flatMap(({ kept }) => kept),
      failures: [...failures, ...found.flatMap(({ unread }) => unread)],
    };
  }
}

const stillOpen = ({ orderId, symbol }: Cancellation): CancelFailure => ({
  orderId,
  symbol,
  why: "it was placed while the others were cancelled",
});

/** Undefined if the order was cancelled, or was gone already. */
async function cancelled(reads: RequestReads, account: ExchangeAccount, order: Cancellation): Promise<CancelFailure | undefined> {
  const { orderId, symbol } = order;
  const failed = (why: string): CancelFailure => ({ orderId, symbol, why });
  try {
    const { outcome, problems } = await cancelOrder(reads, account, order);
    if (outcome === "ACCEPTED" || problems.some(({ code }) => code === "ORDER_NOT_FOUND")) return undefined;
    return failed(problems.map(({ message }) => message).join("; ") || "it is not known yet whether it was cancelled");
  } catch (error) {
    if (error instanceof Fault) return failed(error.message);
    throw error;
  }
}
