import type { Clock } from "@exchange-graph/contract/clock";
import type { WireError } from "@exchange-graph/contract/wireError";
import { Fault } from "../../datasources/index.js";
import type { JournalEvent, Unknown, WriteProgress } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import { traceparentOf } from "../../instrumentation/traceparent.js";
import { SeenUnknown } from "../seenUnknown/seenUnknown.js";
import type { Logger } from "./log.js";
import { OncePerMinute } from "./oncePerMinute.js";

/** More than the contract has fields. */
const MAX_PLACES = 2_000;

/** Maximum length of a name that the exchange chooses. */
const MAX_NAME = 64;

/** Logs data of the exchange that is not as the contract says, once per field and value, because it repeats. */
class UnreadLog {
  readonly #logged = new Set<string>();
  readonly #seen = new SeenUnknown();

  constructor(private readonly log: Logger) {}

  /** `source` is the endpoint or the channel. The error names the field and the expected type, never a value. */
  unread(source: string, { field, message }: WireError): void {
    if (this.#isKnown(`${source} ${field}`)) return;
    this.log.warn({ source, field, reason: message }, "the exchange sent values that break its interface: they are left out");
  }

  /** A field or a value that the contract does not have. Its name and its text are the exchange's, and bounded. */
  unknown(event: Unknown): void {
    if (!this.#seen.isNew(event)) return;
    const { source, kind, field, value } = event;
    const line = { source, field: field.slice(0, MAX_NAME), ...(value === undefined ? {} : { value: value.slice(0, MAX_NAME) }) };
    this.log.warn(line, `the exchange sent a ${kind} that its interface does not have`);
  }

  /** A push without a subscription. */
  unplaced(channel: string): void {
    if (this.#isKnown(`${channel} (push)`)) return;
    this.log.warn({ channel }, "the exchange pushed a channel that is not subscribed: it was ignored");
  }

  #isKnown(place: string): boolean {
    if (this.#logged.has(place) || this.#logged.size >= MAX_PLACES) return true;
    this.#logged.add(place);
    return false;
  }
}

/** Errors that clients can cause at any rate. */
const CLIENT_ERRORS = /^(?:WS_ERR_\w+|ECONNRESET|EPIPE)$/;

interface EventLogOptions {
  readonly clock: Clock;
  /** Whether writes that only reduce risk are sent when the journal cannot be written. */
  readonly cancelWithoutJournal: boolean;
}

/** Logs the events that operators should know. No line contains a secret or the content of a file. */
export function logEvents(log: Logger, events: Instrumentation, options: EventLogOptions): void {
  const { clock, cancelWithoutJournal } = options;
  listen(events, events.failure, ({ error, what, origin, ...place }) =>
    log.error({ ...place, traceId: origin?.traceId, err: error }, what),
  );
  listen(events, events.connectionFailure, (error) => {
    // Only at debug level if the client disconnected or sent a malformed frame.
    const isOfClient = error instanceof Error && "code" in error && CLIENT_ERRORS.test(String(error.code));
    log[isOfClient ? "debug" : "warn"]({ err: error }, "a socket failed");
  });
  listen(events, events.fileChange, ({ setting, mistakes, isGone }) => {
    if (mistakes === undefined) log.info({ setting }, "a file has changed and was read again");
    else if (isGone) log.error({ setting, mistakes }, "a file is missing: its former content is no longer in effect");
    else log.error({ setting, mistakes }, "a file has changed and cannot be used: its former content stays in effect");
  });
  logEngine(log, events, clock);
  logClock(log, events, clock);
  logCalls(log, events, clock);
  logWrites(log, events, cancelWithoutJournal);
  logHistory(log, events, clock);
}

/** Length of a share up to its tenths: `0.3`. */
const TENTH = 3;
/** Differences of a day that are logged; the graph has more of them. */
const LOGGED_DIFFERENCES = 20;

/** Logs how far the past of accounts is rebuilt, when what they are worth cannot be recorded, and what does not agree with the exchange. */
function logHistory(log: Logger, events: Instrumentation, clock: Clock): void {
  const failures = new OncePerMinute(clock);
  listen(events, events.history, (event) => {
    if (event.kind === "recorded") {
      if (event.gaps > 0)
        log.debug({ gaps: event.gaps }, "the worth of some accounts was not known, and is a gap in their history");
      return;
    }
    if (event.kind === "rebuilt") {
      const { account, status, share, before } = event;
      // One line for each tenth.
      if (status !== "RUNNING" || share.slice(0, TENTH) !== before.slice(0, TENTH))
        log.info({ account, status, share }, "the past of an account's history is being rebuilt");
      return;
    }
    if (event.kind === "reconciled") {
      const { account, day, differences, unchecked } = event;
      if (differences.length > 0)
        log.warn(
          { account, day, count: differences.length, differences: differences.slice(0, LOGGED_DIFFERENCES) },
          "the account's journal, executions and balances of a day differ from the exchange",
        );
      if (unchecked.length > 0) log.warn({ account, day, unchecked }, "a part of a day could not be compared with the exchange");
      return;
    }
    // The exchange's text may say something about an account; the code of its error is enough.
    const { error } = event;
    const line = error instanceof Fault ? { code: error.code } : { err: error };
    if (failures.isDue())
      log.warn(line, "the history of accounts could not be recorded, or their changes could not be read: it is tried again");
  });
}

const CONTINUES_ALONE = "redis cannot be used: this replica continues alone";
const SENDS_NOTHING = "redis cannot be used, and was not since the start: nothing is sent to the exchange";

/** Logs when Redis becomes unreachable, and reachable again. */
function logEngine(log: Logger, events: Instrumentation, clock: Clock): void {
  const outages = new OncePerMinute(clock);
  let isLoggedDown = false;
  listen(events, events.redis, (event) => {
    if (event.kind === "down") {
      if (!outages.isDue()) return;
      isLoggedDown = true;
      log.warn({ why: event.why }, event.isAlone ? CONTINUES_ALONE : SENDS_NOTHING);
      return;
    }
    if (event.isNew) log.warn("redis was emptied, or replaced by another server: no rate budget is granted for a moment");
    if (isLoggedDown) log.info("redis can be reached again");
    isLoggedDown = false;
  });
}

/** Logs when the exchange's clock contradicts this machine's. */
function logClock(log: Logger, events: Instrumentation, clock: Clock): void {
  const contradictions = new OncePerMinute(clock);
  listen(events, events.clock, (event) => {
    const { byMs } = event;
    if (event.kind === "contradicted") {
      if (contradictions.isDue())
        log.warn({ byMs }, "answers of the exchange contradict its time: it is not changed without further evidence");
    } else if (event.kind === "skewed")
      log.warn({ byMs }, "the exchange's clock differs from the system clock: one of them is wrong");
    else if (event.isWitnessed) log.info({ byMs }, "the system clock was set, or stood still: so the exchange's time has jumped");
    else log.warn({ byMs }, "the exchange's clock has jumped: for a day, limits of a day count by the time before the jump");
  });
}

/** Logs problems with answers, refreshes, streams, limits and keys of the exchange. */
function logCalls(log: Logger, events: Instrumentation, clock: Clock): void {
  const refreshes = new OncePerMinute(clock);
  const neighbours = new OncePerMinute(clock);
  const unread = new UnreadLog(log);
  listen(events, events.refreshFailure, ({ endpoint, error }) => {
    if (!(error instanceof Fault)) log.error({ endpoint, err: error }, "unexpected error in a background refresh");
    // The error's text may contain what the exchange says about an account; its code is enough.
    else if (refreshes.isDue(endpoint))
      log.warn({ endpoint, code: error.code }, "a stale answer stays in use: its refresh failed");
  });
  listen(events, events.liveFailure, ({ account, kind, code }) => {
    // Debug level, because clients can name any symbol.
    if (account === undefined) log.debug({ kind, code }, "market data is not kept live: its stream has failed");
    else log.warn({ account, kind, code }, "an account is not kept live: its stream has failed, and is tried again in a minute");
  });
  listen(events, events.neighbourSign, ({ counter, share }) => {
    if (neighbours.isDue())
      log.warn({ counter, share }, "another client uses the same rate limits: a part of them is left unused");
  });
  listen(events, events.unread, ({ source, error }) => unread.unread(source, error));
  listen(events, events.unknown, (event) => unread.unknown(event));
  listen(events, events.unplacedPush, ({ channel }) => {
    if (channel === undefined) log.warn("a frame that is not a message of the exchange was ignored");
    else unread.unplaced(channel);
  });
  listen(events, events.disconnect, ({ end }) =>
    log.info({ end }, "a connection to the exchange's streams has ended; another takes its place"),
  );
  listen(events, events.keyRefused, ({ account, code, reason }) =>
    log.error({ account, code, reason }, "the exchange refuses the key of an account"),
  );
  listen(events, events.keyAccepted, (account) => log.info({ account }, "the exchange accepts the key of an account again"));
}

/** Logs lost answers and problems of the journal. */
function logWrites(log: Logger, events: Instrumentation, cancelWithoutJournal: boolean): void {
  listen(events, events.write, (write) => {
    const line = { ...nameOf(write), state: write.state, code: write.problem?.code };
    if (write.state === "UNKNOWN") log.warn(line, "the answer to a write was lost: its outcome is being looked up");
    else log.debug(line, "a write has ended");
  });
  listen(events, events.writeFailure, ({ write, error }) =>
    log.error({ ...nameOf(write), err: error }, "unexpected error around a write"),
  );
  listen(events, events.limits, ({ unlimited, differing }) => {
    if (unlimited.length > 0) log.warn({ accounts: unlimited }, "accounts that had limits have none any more");
    for (const accounts of differing)
      log.warn({ accounts }, "accounts of one user have different limits: the strictest of them apply to each");
    if (unlimited.length + differing.length === 0)
      log.info("every account that had limits has limits again, and no two of one user have different ones");
  });
  const sent = cancelWithoutJournal ? "only writes that reduce risk are sent" : "nothing is sent";
  listen(events, events.journal, (event) => logJournal(log, event, sent));
}

/** `sent`: the writes that are sent while the journal cannot be written. */
function logJournal(log: Logger, event: JournalEvent, sent: string): void {
  switch (event.kind) {
    case "available":
      log.info("the journal of writes can be written again");
      break;
    case "unavailable":
      log.error({ why: event.why }, `the journal of writes cannot be written: ${sent}`);
      break;
    case "log gone":
      log.error("the WAL file of the journal was removed: nothing is lost, a new one was created");
      break;
    case "copied":
      log.warn(
        { copy: event.copy },
        "the journal of writes was copied, because earlier versions cannot use it after its migration",
      );
      break;
    case "taken over":
      log.warn({ entries: event.entries }, "writes that a process has left open are taken over and looked up");
      break;
    case "torn tail":
      log.warn(
        { bytes: event.bytes },
        "the WAL file of the journal ended in the middle of an entry, which was ignored: nothing was sent for it",
      );
      break;
  }
}

const nameOf = ({ seq, account, mutation, endpoint, clientOid, traceparent }: WriteProgress) => ({
  write: seq,
  account,
  mutation,
  endpoint,
  clientOid,
  traceId: traceparent === null ? undefined : traceparentOf(traceparent)?.traceId,
});
