import { Fault, ifFault } from "../errors/index.js";
import type { JournalEntry } from "./journal/journalEntry.js";
import type { Entries } from "./journaling.js";
import { policyOf } from "./policies/index.js";
import type { WriteParts } from "./writeParts.js";

/**
 * Separates changes of the position mode from orders of hedge mode that are exempt from halts and limits because they close: in the
 * other mode such an order opens a position, and it may arrive after a change that was sent later. Each is recorded before it looks
 * for the other, so at least one of two sees the other, also at two processes: the order is refused, and the change waits.
 */
export class ModeChanges {
  constructor(private readonly parts: Pick<WriteParts, "journal" | "exchangeClock">) {}

  /** Whether the exchange may still execute a change of this user's mode. False while the journal cannot be read. */
  async mayChange(user: string, own: Entries): Promise<boolean> {
    const others = (await this.#underWay(user, own).catch(ifFault)) ?? [];
    return others.some(({ endpoint }) => policyOf(endpoint)?.changes === "modeOfOrders");
  }

  /** Waits, for this long (ms), until the exchange can execute no more orders that name a side of hedge mode. Throws `Fault`. */
  async ordersEnded(user: string, own: Entries, withinMs: number): Promise<void> {
    const orders = (await this.#underWay(user, own)).filter(({ values }) => (values.posSide ?? values.tradeSide) !== undefined);
    const ends = await Promise.all(orders.map((entry) => this.parts.journal.ended(entry, withinMs)));
    if (ends.includes(undefined))
      throw new Fault("EXCHANGE_UNAVAILABLE", "orders of the former position mode are still being settled; nothing was sent", {
        retryAfterMs: 1_000,
      });
  }

  /** Other writes of the user that the exchange may still execute. */
  async #underWay(user: string, own: Entries): Promise<readonly JournalEntry[]> {
    const { journal, exchangeClock } = this.parts;
    const now = exchangeClock.now();
    const isOwn = ({ seq }: JournalEntry): boolean => own.some((entry) => entry?.seq === seq);
    return (await journal.open()).filter(
      (entry) => entry.user === user && entry.state === "SENT" && entry.validUntil > now && !isOwn(entry),
    );
  }
}
