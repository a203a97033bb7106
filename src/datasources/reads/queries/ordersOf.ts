import type { Order } from "@exchange-graph/contract/order";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { before } from "@exchange-graph/contract/window";
import type { ExchangeAccount } from "../../calls/index.js";
import { faultIn } from "../../errors/index.js";
import { slicesOf } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { readOrder } from "./order.js";
import { readOrderHistory } from "./orderHistory.js";

/** An order that another record names. */
export interface NamedOrder {
  readonly category: ProductCategory;
  readonly symbol: string;
  readonly orderId: string;
  /** A time at which it existed, Unix ms. */
  readonly time: number | null;
}

/** Rows of a page of the exchange. */
const PAGE = 100;
/** Maximum number of pages of the history that several orders share. */
const MAX_PAGES = 5;
/** Most orders are finished within a day. */
const LIFETIME = { days: 1 };

/**
 * Orders of one category, by their identifiers; `null` if the exchange does not have one any more. Several are looked up in the
 * history of that time, as long as that takes fewer calls than one for each, and what it does not have then one by one. `spend`
 * is called before each call, and may throw.
 */
export async function readOrdersNamed(
  reads: Reads,
  account: ExchangeAccount,
  named: readonly NamedOrder[],
  spend: () => void,
): Promise<readonly (Order | null | Error)[]> {
  const found = await readShared(reads, account, named, spend);
  return Promise.all(
    named.map(async ({ category, symbol, orderId }): Promise<Order | null | Error> => {
      const order = found.get(orderId);
      if (order !== undefined) return order;
      try {
        spend();
        return await readOrder(reads, account, { category, symbol, orderId, waits: false });
      } catch (error) {
        return faultIn(error);
      }
    }),
  );
}

async function readShared(
  reads: Reads,
  account: ExchangeAccount,
  named: readonly NamedOrder[],
  spend: () => void,
): Promise<ReadonlyMap<string, Order>> {
  const found = new Map<string, Order>();
  const times = named.flatMap(({ time }) => time ?? []);
  const [one] = named;
  const pages = Math.min(MAX_PAGES, Math.floor(named.length / 2));
  if (one === undefined || pages === 0 || times.length === 0) return found;
  // The exchange's time is certain once it has answered.
  await reads.modeOf(account);
  const missing = new Set(named.map(({ orderId }) => orderId));
  // One window of the exchange, within what it keeps.
  const to = Math.max(...times) + 1;
  const from = Math.max(before(Math.min(...times), LIFETIME), before(to, { days: 30 }), before(reads.now(), { days: 89 }));
  if (from >= to) return found;
  const filter = { category: one.category, tpslType: "normal" } as const;
  const read = (after: string | undefined) => {
    spend();
    return readOrderHistory(reads, account, filter, { from, to, first: PAGE, after });
  };
  let turned = 0;
  for await (const { rows } of slicesOf(read)) {
    for (const { row } of rows) if (isKnown(row, missing)) found.set(row.orderId, row);
    for (const orderId of found.keys()) missing.delete(orderId);
    if (++turned === pages || missing.size === 0) break;
  }
  return found;
}

const isKnown = (row: Row<Order>, wanted: ReadonlySet<string>): row is Order => isRead(row) && wanted.has(row.orderId);
