import { type Argument, keyOf } from "@exchange-graph/contract/channels/channel";
import { requestFrame, type SubscriptionOp } from "@exchange-graph/contract/channels/frame";
import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";

/** Arguments per request; with more, an answer without an argument is harder to assign. */
const ARGUMENTS_PER_REQUEST = 15;
/** Number of requests for an argument before silence counts as a refusal. */
const TRIES = 2;

/** Maximum number of former subscriptions, whose last pushes are recognised. */
const MAX_FORMER = 100;

/** Assignment of a push. */
type Route = Readonly<Pick<Row, "key" | "argument" | "stage">> | "unwanted" | "unknown";

type Stage = "idle" | "subscribing" | "active" | "unsubscribing";

interface Row {
  readonly key: string;
  readonly argument: Argument;
  stage: Stage;
  wanted: boolean;
  /** Subscribe again: its pushes can no longer be trusted. */
  renew: boolean;
  /** Request it alone, so that an answer without an argument can only be about it. */
  alone: boolean;
  tries: number;
  sentAt: number;
  notBefore: number;
}

/**
 * The wanted and actual subscriptions of one connection: a row per argument, advanced by sent requests and received answers. What
 * is wanted may change at any time; a pending request is completed before the next step, so that the exchange never has two
 * requests for one argument at once.
 */
export class UpstreamSubscriptions {
  readonly #rows = new Map<string, Row>();
  readonly #former: Argument[] = [];
  /**
   * Times of the subscriptions requested in the last hour, one for each argument, because the exchange may count arguments or
   * requests.
   */
  readonly #subscribed: number[] = [];

  get size(): number {
    return this.#rows.size;
  }

  /** Adds a wanted argument. One that is already active is subscribed again, for its snapshot. */
  add(argument: Argument): void {
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

  remove(key: string): void {
    const row = this.#rows.get(key);
    if (row === undefined) return;
    row.wanted = false;
    if (row.stage === "idle") this.#forget(row);
  }

  renew(key: string): void {
    const row = this.#rows.get(key);
    if (row?.stage === "active") row.renew = true;
  }

  /** The next request, as large as allowed; undefined if nothing has to be requested now. */
  next(now: number): string | undefined {
    return this.#request("unsubscribe", now, Number.POSITIVE_INFINITY) ?? this.#request("subscribe", now, this.left(now));
  }

  /** Time of the next request, if one is delayed. */
  waitsUntil(now: number): number | undefined {
    let earliest: number | undefined;
    for (const row of this.#rows.values())
      if (row.stage === "idle" && row.notBefore > now) earliest = Math.min(earliest ?? row.notBefore, row.notBefore);
    return earliest;
  }

  /** Number of arguments that may still be subscribed within the hour. */
  left(now: number): number {
    const { limit, windowMs } = SOCKET_LIMITS.subscribes;
    while ((this.#subscribed[0] ?? now) < now - windowMs) this.#subscribed.shift();
    return limit - this.#subscribed.length;
  }

  /** The exchange confirmed. Returns the key if it is now subscribed and still wanted. */
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

  /** The argument that a refusal is about: the named one, or the only pending one. */
  accused(argument: Argument | undefined): string | undefined {
    if (argument !== undefined) return this.#rowOf(argument)?.key;
    const underWay = this.#underWay();
    return underWay.length === 1 ? underWay[0]?.key : undefined;
  }

  /** The exchange refused. Returns whether it was still wanted; a refused unsubscription counts as done. */
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

  /** Delays one argument, or all pending ones. */
  postpone(key: string | undefined, notBefore: number): void {
    for (const row of this.#underWay()) {
      if (key !== undefined && row.key !== key) continue;
      row.stage = row.stage === "subscribing" ? "idle" : "active";
      row.notBefore = notBefore;
      if (row.stage === "idle") this.#forgetUnwanted(row);
    }
  }

  /**
   * Handles unanswered requests: an argument is requested again, alone; the second time it is given up. Returns the keys given
   * up.
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

  /** Time of the oldest unanswered request. */
  get waitingSince(): number | undefined {
    const sent = this.#underWay().map(({ sentAt }) => sentAt);
    return sent.length === 0 ? undefined : Math.min(...sent);
  }

  /** The subscription of a push, unless it is not wanted any more, or was never requested. */
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
   * The row for an argument of the exchange, which may have additional keys. Candle pushes may lack or change the interval: then
   * the only row that matches otherwise is meant.
   */
  #rowOf(argument: Argument): Row | undefined {
    return this.#rows.get(keyOf(argument)) ?? this.#onlyRow(argument, []) ?? this.#onlyRow(argument, ["interval"]);
  }

  /** The only row whose keys all match the argument, except these. */
  #onlyRow(argument: Argument, apartFrom: readonly string[]): Row | undefined {
    const fitting = [...this.#rows.values()].filter((row) => isWithin(row.argument, argument, apartFrom));
    return fitting.length === 1 ? fitting[0] : undefined;
  }

  /** Whether it was subscribed before: its last pushes may still arrive. */
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

/** The letter case of the product type does not matter. */
const isSame = (key: string, one: string, other: string | undefined): boolean =>
  one === other || (key === "instType" && one.toLowerCase() === other?.toLowerCase());
