import type { Clock } from "@exchange-graph/contract/clock";
import type { ClientPrincipal } from "../../access/principal/clientPrincipal.js";
import { Fault } from "../../datasources/errors/index.js";
import { type Requester, SharedRequester } from "../../datasources/index.js";
import type { Resuming } from "../../resolvers/index.js";
import type { OperationRequest } from "../documents/operationRequest.js";
import type { ExecutionTurns } from "../execution/executionTurns.js";
import { DeliveryTurns, EventQuotas, type SpendEvents } from "./deliveryTurns.js";
import type { EventStream, RefusedStream } from "./eventStream.js";
import { Group, type GroupListener } from "./group.js";
import { DeliveryCounts, Member } from "./member.js";
import type { SubscriberSink } from "./subscriberSink.js";

/** Maximum number of distinct running subscriptions; further ones are refused. */
const MAX_GROUPS = 10_000;
/**
 * Time for which a group accepts listeners although one of its streams has ended. It doubles for each group in place of another, so
 * that a stream that ends again and again, as of a symbol that does not exist, makes few groups.
 */
const ACCEPTS_FOR_MS = 5_000;
const MOST_ACCEPTS_FOR_MS = 600_000;

/** A stream that yields nothing: events are written to the sink, and it ends with them. */
export interface Membership extends AsyncGenerator<never, void, void> {}

/** Events with listeners of several clients take turns like those of one client. */
const SEVERAL = { client: "(several clients)", weight: 1, spend: undefined } as const;

interface GroupClient extends Pick<Requester, "client" | "weight"> {
  /** Its quota; undefined if it has none. */
  readonly spend: SpendEvents | undefined;
  listeners: number;
}

interface Entry {
  readonly group: Group;
  readonly clients: Map<string, GroupClient>;
  /** The requesters of all current and joining listeners. */
  readonly requester: SharedRequester;
  readonly opened: Promise<RefusedStream | undefined>;
}

/** All running groups, by key. */
export class FanOut {
  /** Those that accept listeners by key, the others by themselves. */
  readonly #groups = new Map<string | Entry, Entry>();

  readonly counts = new DeliveryCounts();

  readonly #turns = new DeliveryTurns();
  readonly #quotas: EventQuotas;

  constructor(
    private readonly clock: Clock,
    private readonly executions: Pick<ExecutionTurns, "begin">,
  ) {
    this.#quotas = new EventQuotas(clock);
  }

  get groups(): number {
    return this.#groups.size;
  }

  get listeners(): number {
    let count = 0;
    for (const { group } of this.#groups.values()) count += group.size;
    return count;
  }

  /**
   * Joins the group of this key, and opens it if needed; `after` is the position of a resuming listener, `spend` the quota of its
   * client, if it has one. Returns a stream that ends with the membership, or the response of an operation that cannot be subscribed to.
   */
  async join(
    key: string,
    open: (requester: Requester, resuming?: Resuming) => Promise<EventStream | RefusedStream>,
    sink: SubscriberSink,
    requester: Requester,
    { after, spend }: { readonly after?: string | null | undefined; readonly spend?: SpendEvents | undefined } = {},
  ): Promise<Membership | RefusedStream> {
    const former = this.#groups.get(key);
    const existing = former?.group.isShort === true ? undefined : former;
    if (existing === undefined && this.#groups.size >= MAX_GROUPS)
      throw new Fault("RATE_LIMITED", `more than ${MAX_GROUPS} different subscriptions at once`, { retryAfterMs: 1_000 });
    existing?.requester.join(requester);
    const entry = existing ?? this.#open(key, open, requester, former);
    const { group, opened, clients } = entry;
    group.expect();
    const { client: name, weight } = requester;
    const client = clients.get(name) ?? { client: name, weight, spend, listeners: 0 };
    client.listeners++;
    clients.set(name, client);
    const member = () => new Member(sink, group.pace, this.clock, this.counts);
    const left = () => {
      entry.requester.leave(requester);
      if (--client.listeners === 0) clients.delete(name);
    };
    return (await opened) ?? this.#joined(group, member(), after, left);
  }

  #open(
    key: string,
    open: (requester: Requester, resuming?: Resuming) => Promise<EventStream | RefusedStream>,
    first: Requester,
    former: Entry | undefined,
  ): Entry {
    if (former !== undefined) this.#groups.set(former, former);
    const acceptsForMs = former === undefined ? ACCEPTS_FOR_MS : Math.min(2 * former.group.acceptsForMs, MOST_ACCEPTS_FOR_MS);
    const requester = new SharedRequester(first);
    const forget = () => {
      this.#groups.delete(this.#groups.get(key) === entry ? key : entry);
    };
    const clients = new Map<string, GroupClient>();
    // An event that several clients share is executed for all of them, and counts for none.
    const turn = () => {
      const [only = SEVERAL] = clients.values();
      if (clients.size > 1) return this.executions.begin(SEVERAL);
      if (only.spend === undefined) return this.executions.begin(only);
      const begin = () => this.executions.begin(only);
      return this.#quotas.spend(only.client, Math.max(1, group.size), only.spend)?.then(begin) ?? begin();
    };
    const group = new Group(
      (resuming) => open(requester, resuming),
      turn,
      this.clock,
      this.#turns,
      this.counts,
      forget,
      acceptsForMs,
    );
    const entry: Entry = {
      group,
      clients,
      requester,
      opened: group.open().then(
        (refused) => {
          if (refused !== undefined) forget();
          return refused;
        },
        (error: unknown) => {
          forget();
          throw error;
        },
      ),
    };
    this.#groups.set(key, entry);
    return entry;
  }

  #joined(group: Group, member: Member, after: string | null | undefined, left: () => void): Membership {
    let resolve: (done: IteratorReturnResult<void>) => void = () => undefined;
    let reject: (error: unknown) => void = () => undefined;
    const end = new Promise<IteratorReturnResult<void>>((...settle) => {
      [resolve, reject] = settle;
    });
    let stage: "coming" | "joined" | "gone" = "coming";
    const leave = async (): Promise<IteratorReturnResult<void>> => {
      const done = { done: true, value: undefined } as const;
      if (stage === "gone") return done;
      stage = "gone";
      group.leave(listener);
      left();
      resolve(done);
      return done;
    };
    const listener: GroupListener = {
      member,
      finished: leave,
      failed: (error) => {
        reject(error);
        void leave();
      },
    };
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      // The listener joins here, and not earlier, because `graphql-ws` has registered the subscription by now: a `complete` of the
      // client ends it.
      next() {
        if (stage === "coming") {
          stage = "joined";
          group.join(listener, after);
        }
        return end;
      },
      return: leave,
      throw: leave,
    };
  }
}

/** The key of a group: subscriptions with equal keys have equal events. */
export const groupKey = (
  principal: ClientPrincipal,
  { query, operationName }: Pick<OperationRequest, "query" | "operationName">,
  variables: OperationRequest["variables"],
): string => JSON.stringify([principal.asListener.key, operationName ?? null, variables, query]);
