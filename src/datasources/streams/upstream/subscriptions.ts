import { type Argument, keyOf } from "@exchange-graph/contract/channels/channel";
import { requestFrame, type SubscriptionOp } from "@exchange-graph/contract/channels/frame";
import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";

/** Arguments in one request: more make an answer that names no argument harder to place. */
const ARGUMENTS_PER_REQUEST = 15;
/** How often one argument is asked for before silence counts as an answer. */
const TRIES = 2;

/** What was asked for lately and is remembered, so that its last pushes surprise nobody. */
const MAX_FORMER = 100;

/** Where a push goes. */
type Route = { readonly key: string } | "unwanted" | "unknown";

type Stage = "idle" | "subscribing" | "active" | "unsubscribing";

interface Row {
  readonly key: string;
  readonly argument: Argument;
  stage: Stage;
  wanted: boolean;
  /** Ask for it again: its pushes can no longer be trusted. */
  renew: boolean;
  /** Ask for it in a request of its own, so that an answer without an argument can only mean this one. */
  alone: boolean;
  tries: number;
  sentAt: number;
  notBefore: number;
}

/**
 * What one connection is to be subscribed to and what it is: a row per argument, moved on by requests that go out and
 * answers that come in. Wishes may change at any time; what is under way is let finish first, then the next step
 * follows, so the exchange never has two requests about one argument at once.
 */
export class Subscriptions {
  readonly #rows = new Map<string, Row>();
  /** What was asked for lately, and is no longer. */
  readonly #former: Argument[] = [];
  /** When each request to subscribe of the last hour went out, per argument: the exchange may count either way. */
  readonly #subscribed: number[] = [];

  get size(): number {
    return this.#rows.size;
  }

  /** Wants an argument. One that is active already is asked for again: whoever wants it waits for its first state. */
  want(argument: Argument): void {
    const key = keyOf(argument);
    const row = this.#rows.get(key);
    if (row === undefined) {
      const fresh = { wanted: true, renew: false, alone: false, tries: 0, sentAt: 0, notBefore: 0 };
      this.#rows.set(key, { key, argument, stage: "idle", ...fresh });
      return;
    }
    row.wanted = true;
    row.renew = row.stage === "active";
  }

  unwant(key: string): void {
    const row = this.#rows.get(key);
    if (row === undefined) return;
    row.wanted = false;
    if (row.stage === "idle") this.#forget(row);
  }

  renew(key: string): void {
    const row = this.#rows.get(key);
    if (row?.stage === "active") row.renew = true;
  }

  /** The next request, as large as it may be; nothing when there is nothing to ask for now. */
  next(now: number): string | undefined {
    return this.#request("unsubscribe", now, Number.POSITIVE_INFINITY) ?? this.#request("subscribe", now, this.left(now));
  }

  /** When there will be something to ask for, of what has to wait. */
  waitsUntil(now: number): number | undefined {
    let earliest: number | undefined;
    for (const row of this.#rows.values())
      if (row.stage === "idle" && row.notBefore > now) earliest = Math.min(earliest ?? row.notBefore, row.notBefore);
    return earliest;
  }

  /** How many more arguments may be subscribed to within the hour. */
  left(now: number): number {
    const { limit, windowMs } = SOCKET_LIMITS.subscribes;
    while ((this.#subscribed[0] ?? now) < now - windowMs) this.#subscribed.shift();
    return limit - this.#subscribed.length;
  }

  /** The exchange confirmed. Gives the key when it is subscribed now, and still wanted. */
  acked(op: SubscriptionOp, argument: Argument): string | undefined {
    const row = this.#rowOf(argument);
    if (row === undefined) return undefined;
    if (op === "unsubscribe") {
      if (row.stage === "unsubscribing") this.#gone(row);
      return undefined;
    }
    if (row.stage !== "subscribing") return undefined;
    row.stage = "active";
    row.tries = 0;
    row.alone = false;
    return row.wanted ? row.key : undefined;
  }

  /** The argument that a refusal must be about: the one it names, or the only one under way. */
  accused(argument: Argument | undefined): string | undefined {
    if (argument !== undefined) return this.#rowOf(argument)?.key;
    const asked = this.#underWay();
    return asked.length === 1 ? asked[0]?.key : undefined;
  }

  /** The exchange refused. Returns whether it was still wanted; what was to be unsubscribed is gone either way. */
  refused(key: string): boolean {
    const row = this.#rows.get(key);
    if (row === undefined) return false;
    if (row.stage === "unsubscribing") {
      this.#gone(row);
      return false;
    }
    this.#forget(row);
    return row.wanted;
  }

  /** Asks again later, for one argument or for all that is under way. */
  postpone(key: string | undefined, notBefore: number): void {
    for (const row of this.#underWay()) {
      if (key !== undefined && row.key !== key) continue;
      row.stage = row.stage === "subscribing" ? "idle" : "active";
      row.notBefore = notBefore;
      if (row.stage === "idle") this.#forgetUnwanted(row);
    }
  }

  /**
   * Deals with requests that nobody answered: an argument is asked for again, alone; the second time it is given up.
   * Gives the keys of those.
   */
  expire(sentBefore: number): readonly string[] {
    const givenUp: string[] = [];
    for (const row of this.#underWay()) {
      if (row.sentAt > sentBefore) continue;
      if (row.stage === "unsubscribing") this.#gone(row);
      else if (row.tries < TRIES) {
        row.stage = "idle";
        row.alone = true;
        this.#forgetUnwanted(row);
      } else {
        this.#forget(row);
        if (row.wanted) givenUp.push(row.key);
      }
    }
    return givenUp;
  }

  /** When the oldest unanswered request went out. */
  get waitingSince(): number | undefined {
    const sent = this.#underWay().map(({ sentAt }) => sentAt);
    return sent.length === 0 ? undefined : Math.min(...sent);
  }

  /** Whose push this is, unless it is not, or no longer, wanted, or belongs to nothing that was ever asked for. */
  routeOf(argument: Argument): Route {
    const row = this.#rowOf(argument);
    if (row === undefined) return this.#isFormer(argument) ? "unwanted" : "unknown";
    if (!row.wanted || row.renew) return "unwanted";
    return row.stage === "active" || row.stage === "subscribing" ? row : "unwanted";
  }

  #gone(row: Row): void {
    row.stage = "idle";
    row.renew = false;
    this.#forgetUnwanted(row);
  }

  #forgetUnwanted(row: Row): void {
    if (!row.wanted) this.#forget(row);
  }

  #underWay(): Row[] {
    return [...this.#rows.values()].filter(({ stage }) => stage === "subscribing" || stage === "unsubscribing");
  }

  /**
   * The row that an argument of the exchange's is about. It may carry keys that the subscription did not. Candle pushes
   * may leave out or change the interval: then the only subscription that fits apart from it is meant.
   */
  #rowOf(argument: Argument): Row | undefined {
    return this.#rows.get(keyOf(argument)) ?? this.#onlyRow(argument, []) ?? this.#onlyRow(argument, ["interval"]);
  }

  /** The only row all of whose keys the argument has too, but for these. */
  #onlyRow(argument: Argument, apartFrom: readonly string[]): Row | undefined {
    const fitting = [...this.#rows.values()].filter((row) => isWithin(row.argument, argument, apartFrom));
    return fitting.length === 1 ? fitting[0] : undefined;
  }

  /** Was it asked for a while ago? What was on its way then still arrives. */
  #isFormer(argument: Argument): boolean {
    return this.#former.some((former) => isWithin(former, argument, ["interval"]));
  }

  #forget(row: Row): void {
    this.#rows.delete(row.key);
    this.#former.push(row.argument);
    if (this.#former.length > MAX_FORMER) this.#former.shift();
  }

  #request(op: SubscriptionOp, now: number, most: number): string | undefined {
    const rows = this.#batch(op, now, most);
    if (rows.length === 0) return undefined;
    for (const row of rows) {
      row.stage = op === "subscribe" ? "subscribing" : "unsubscribing";
      row.sentAt = now;
      if (op === "subscribe") {
        row.tries++;
        this.#subscribed.push(now);
      }
    }
    return requestFrame(
      op,
      rows.map(({ argument }) => argument),
    );
  }

  #batch(op: SubscriptionOp, now: number, most: number): Row[] {
    const rows: Row[] = [];
    let bytes = requestFrame(op, []).length;
    for (const row of this.#rows.values()) {
      if (rows.length >= Math.min(most, ARGUMENTS_PER_REQUEST)) break;
      if (!isDue(row, op, now)) continue;
      if (row.alone) return rows.length === 0 ? [row] : rows;
      bytes += Buffer.byteLength(JSON.stringify(row.argument)) + 1;
      if (bytes > SOCKET_LIMITS.requestBytes) break;
      rows.push(row);
    }
    return rows;
  }
}

const isDue = (row: Row, op: SubscriptionOp, now: number): boolean =>
  row.notBefore <= now &&
  (op === "subscribe" ? row.stage === "idle" && row.wanted : row.stage === "active" && (!row.wanted || row.renew));

const isWithin = (subscribed: Argument, pushed: Argument, apartFrom: readonly string[]): boolean =>
  Object.entries(subscribed).every(([key, value]) => apartFrom.includes(key) || isSame(key, value, pushed[key]));

/** The product type counts without letter case. */
const isSame = (key: string, one: string, other: string | undefined): boolean =>
  one === other || (key === "instType" && one.toLowerCase() === other?.toLowerCase());
