import { Fault, ifFault } from "../errors/index.js";
import type { JournalEntry } from "./journal/journalEntry.js";
import type { Entries } from "./journaling.js";
import { policyOf } from "./policies/index.js";
import type { WriteParts } from "./writeParts.js";

type SentValues = JournalEntry["values"];

/**
 * Separates changes of the position mode from orders of hedge mode that are exempt from halts and limits because they close: in the
 * other mode such an order opens a position, and it may arrive after a change that was sent later. Each is recorded before it looks
 * for the other, so at least one of two sees the other, also at two processes: the order is refused, and the change waits.
 */
export class ModeChanges {
  constructor(private readonly parts: Pick<WriteParts, "journal" | "exchangeClock">) {}

  /** Tells of an order of the user whether the exchange may still change its mode. It may not while the journal cannot be read. */
  async underWay(user: string, own: Entries): Promise<(order: SentValues) => boolean> {
    const others = (await this.#sent(user, own).catch(ifFault)) ?? [];
    const changes = others.filter(({ endpoint }) => policyOf(endpoint)?.changes === "positionMode");
    return (order) => changes.some(({ values }) => isModeOf(values, order));
  }

  /**
   * Waits, for this long (ms), until the exchange can execute no more orders that name a side of hedge mode and that this change
   * concerns. Throws `Fault`.
   */
  async ordersEnded(user: string, own: Entries, change: SentValues, withinMs: number): Promise<void> {
    const orders = (await this.#sent(user, own)).filter(({ values }) => namesSide(values) && isModeOf(change, values));
    const ends = await Promise.all(orders.map((entry) => this.parts.journal.ended(entry, withinMs)));
    if (ends.includes(undefined))
      throw new Fault("EXCHANGE_UNAVAILABLE", "orders of the former position mode are still being settled; nothing was sent", {
        retryAfterMs: 1_000,
      });
  }

  /** Other writes of the user that the exchange may still execute. */
  async #sent(user: string, own: Entries): Promise<readonly JournalEntry[]> {
    const { journal, exchangeClock } = this.parts;
    const now = exchangeClock.now();
    const isOwn = ({ seq }: JournalEntry): boolean => own.some((entry) => entry?.seq === seq);
    return (await journal.open()).filter(
      (entry) => entry.user === user && entry.state === "SENT" && entry.validUntil > now && !isOwn(entry),
    );
  }
}

/** Whether a change is of this order's mode: Classic has one for each product type. */
const isModeOf = (change: SentValues, order: SentValues): boolean =>
  change.productType === undefined || change.productType === order.productType;

const namesSide = ({ side, posSide, tradeSide }: SentValues): boolean =>
  side !== undefined && (posSide ?? tradeSide) !== undefined;
