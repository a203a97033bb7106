import { DAY_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import type { ExchangeAccount } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import type { BalanceRecords } from "../balanceRecords.js";
import type { HistoryStore } from "../historyStore.js";
import { endOf, isRecorded, pointIn } from "../point.js";
import { checkBalances } from "./checkBalances.js";
import { checkFills, type DayOrders, readDayOrders, TooMany } from "./checkFills.js";
import { checkWrites, type WriteParts } from "./checkWrites.js";
import { type DaySpan, type Findings, MAX_DIFFERENCES, NOTHING_CHECKED, type ReconciledDay, storedDay } from "./day.js";

/** The exchange may list what happened at the end of a day later. */
const SETTLED_AFTER_MS = 10 * MINUTE_MS;
/** Pause after a failure, and the time after the end of a day until which it is tried again. */
const RETRY_MS = 15 * MINUTE_MS;
const TRIED_FOR_MS = DAY_MS;
/** The exchange keeps lists for 90 days. */
const KEPT_MS = 89 * DAY_MS;
/** More days than that. */
const MAX_DAYS = 100;

interface Parts extends WriteParts {
  readonly store: HistoryStore;
  readonly ledger: BalanceRecords;
  readonly instrumentation: Instrumentation;
}

/**
 * Compares each day (UTC) of an account, once it is over, between the gateway's journal, its recorded balances, and the orders,
 * executions and financial records of the exchange. What was compared is stored: after a restart it goes on with the next day. It is
 * driven by the process that records.
 */
export class DailyReconciler {
  /** The time from which on the next day of a user may be compared. */
  readonly #dueAt = new Map<string, number>();

  constructor(private readonly parts: Parts) {}

  /** Compares the oldest day of a user that is over and was not compared, if it is due. Rejects if the store cannot be used. */
  async turn(user: string, account: ExchangeAccount): Promise<void> {
    const { store, now } = this.parts;
    if (now() < (this.#dueAt.get(user) ?? 0)) return;
    const span = await this.#next(user);
    const to = span?.to ?? endOf(now() + 1, DAY_MS);
    if (span === undefined || now() < to + SETTLED_AFTER_MS) {
      this.#dueAt.set(user, to + SETTLED_AFTER_MS);
      return;
    }
    this.#dueAt.set(user, now() + RETRY_MS);
    const day = await this.#compare(user, account, span);
    if (day === undefined) return;
    await store.write({ points: [storedDay(user, day)] });
    this.#dueAt.delete(user);
    this.#report(account, day);
  }

  /** The next day: the one after the last compared one. The first one begins with the first sample; what was rebuilt is not compared. */
  async #next(user: string): Promise<DaySpan | undefined> {
    const { store, now } = this.parts;
    const last = await store.lastPoint(user, "RECONCILED", now() + DAY_MS);
    if (last !== undefined) return { from: last.at, to: last.at + DAY_MS };
    const rows = await store.points(user, "DAY", { after: now() - KEPT_MS, to: now() + DAY_MS, limit: MAX_DAYS });
    const first = rows.find((row) => isRecorded(pointIn(row)));
    if (first === undefined) return undefined;
    const from = first.at - DAY_MS;
    const [minute] = await store.points(user, "MINUTE", { after: from, to: first.at, limit: 1 });
    return { from: minute?.at ?? from, to: first.at };
  }

  /** Undefined if something could not be read, and may be later. */
  async #compare(user: string, account: ExchangeAccount, span: DaySpan): Promise<ReconciledDay | undefined> {
    const { store, ledger, newReads, now } = this.parts;
    const isLast = now() >= span.to + TRIED_FOR_MS;
    const failed: Fault[] = [];
    const part = async (check: () => Promise<Findings>): Promise<Findings> => {
      if (span.from < now() - KEPT_MS) return { ...NOTHING_CHECKED, reason: "TOO_OLD" };
      try {
        return await check();
      } catch (error) {
        if (error instanceof TooMany) return { ...NOTHING_CHECKED, reason: "TOO_MANY" };
        if (!(error instanceof Fault)) throw error;
        failed.push(error);
        return { ...NOTHING_CHECKED, reason: "UNREADABLE" };
      }
    };
    const balances = await part(async () => {
      await ledger.read(user, account);
      await ledger.readAgain(user, account, span.from, span.to + SETTLED_AFTER_MS);
      return checkBalances(store, ledger, user, span);
    });
    // Both other parts need the same lists.
    let orders: Promise<DayOrders> | undefined;
    const dayOrders = () => {
      orders ??= readDayOrders(newReads, account, span);
      return orders;
    };
    // After a change of mode, the lists of the former mode no longer show the account.
    const hasMoved = balances.reason === "MODE_CHANGED";
    const fills = hasMoved ? balances : await part(async () => checkFills(newReads, account, await dayOrders(), span));
    const journal = hasMoved ? balances : await part(async () => checkWrites(this.parts, user, account, await dayOrders(), span));
    const [why] = failed;
    if (why !== undefined) this.parts.instrumentation.history.publish({ kind: "failed", error: why });
    if (why !== undefined && !isLast) return undefined;
    const differences = [balances, fills, journal].flatMap((one) => one.differences);
    return {
      at: span.to,
      checkedAt: now(),
      balances: { checked: balances.checked, reason: balances.reason },
      fills: { checked: fills.checked, reason: fills.reason },
      journal: { checked: journal.checked, reason: journal.reason },
      differences: differences.slice(0, MAX_DIFFERENCES),
      count: differences.length,
    };
  }

  #report({ name }: ExchangeAccount, { at, balances, fills, journal, differences }: ReconciledDay): void {
    const unchecked = Object.entries({ balances, fills, journal }).flatMap(([part, { reason }]) =>
      // An account without writes is not traded through this gateway.
      reason === null || reason === "NO_WRITES" ? [] : [`${part}: ${reason}`],
    );
    this.parts.instrumentation.history.publish({
      kind: "reconciled",
      account: name,
      day: new Date(at - DAY_MS).toISOString().slice(0, 10),
      differences,
      unchecked,
    });
  }
}
