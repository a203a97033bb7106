import type { Order } from "@exchange-graph/contract/order";
import { classicFuturesOpenOrders, classicSpotOpenOrders, openOrders } from "@exchange-graph/contract/orderReads";
import { isRead, rowsRead } from "@exchange-graph/contract/rows";
import type { WireError } from "@exchange-graph/contract/wireError";
import type { ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { Fault } from "../../fault.js";
import { readEveryOpenOrder } from "../../queries/openOrders.js";
import { RequestReads } from "../../requestReads.js";
import { cancelOrder } from "../mutations/cancelOrder.js";

/** Result of cancelling the open orders of an account. */
interface CancelledOpen {
  /** Number of orders whose cancellation the exchange accepted. */
  readonly cancelled: number;
  readonly failures: readonly CancelFailure[];
}

/** An order that may still be open, with the reason; without an order if the list could not be read. */
interface CancelFailure {
  readonly orderId: string | null;
  readonly symbol: string | null;
  readonly why: string;
}

const LISTS = [openOrders.name, classicSpotOpenOrders.name, classicFuturesOpenOrders.name];
/** Number of concurrent cancels: each is sent within its deadline, for any number of orders. */
const AT_ONCE = 8;
/** Orders that were being sent are listed again afterwards, and once more. */
const ROUNDS = 3;

/** Cancels all open orders of the account, including those that were being sent when it was called. */
export async function cancelOpenOrders(reads: RequestReads, account: ExchangeAccount): Promise<CancelledOpen> {
  const { exchange } = reads;
  const ended = new Map<string, CancelFailure | undefined>();
  let unread: readonly CancelFailure[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    if (round === 1) await exchange.writes.writer.quiet(account);
    exchange.reader.drop(account.name, LISTS);
    let open: readonly Order[];
    try {
      const listed = await readEveryOpenOrder(new RequestReads(exchange), account);
      unread = listed.flatMap((row) => (isRead(row) ? [] : [notCancelled(row)]));
      open = rowsRead(listed).filter(({ orderId }) => !ended.has(orderId));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return cancelledOpen(ended, [{ orderId: null, symbol: null, why: `the open orders could not be read: ${error.message}` }]);
    }
    if (open.length === 0 && round > 0) break;
    const left = [...open];
    const work = async (): Promise<void> => {
      for (let order = left.shift(); order !== undefined; order = left.shift())
        ended.set(order.orderId, await cancelled(reads, account, order));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  return cancelledOpen(ended, unread);
}

const notCancelled = ({ rowId, message }: WireError): CancelFailure => ({
  orderId: rowId ?? null,
  symbol: null,
  why: `the order could not be read: ${message}`,
});

function cancelledOpen(
  ended: ReadonlyMap<string, CancelFailure | undefined>,
  more: readonly CancelFailure[] = [],
): CancelledOpen {
  const failures = [...ended.values()].filter((one) => one !== undefined);
  return { cancelled: ended.size - failures.length, failures: [...failures, ...more] };
}

/** Undefined if the order was cancelled, or was gone already. */
async function cancelled(reads: RequestReads, account: ExchangeAccount, order: Order): Promise<CancelFailure | undefined> {
  const { orderId, symbol, category, tpslType } = order;
  const failed = (why: string): CancelFailure => ({ orderId, symbol, why });
  if (category === "UNKNOWN") return failed("its category is not known here");
  try {
    const kind = tpslType === "tpsl" ? "TPSL" : "ORDER";
    const { outcome, problems } = await cancelOrder(reads, account, { category, symbol, orderId, kind });
    if (outcome === "ACCEPTED" || problems.some(({ code }) => code === "ORDER_NOT_FOUND")) return undefined;
    return failed(problems.map(({ message }) => message).join("; ") || "it is not known yet whether it was cancelled");
  } catch (error) {
    if (error instanceof Fault) return failed(error.message);
    throw error;
  }
}
