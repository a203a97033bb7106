import type { Frames } from "../../src/engine/subscriptions/frames.js";
import type { SubscriberSink } from "../../src/engine/subscriptions/subscriberSink.js";
import type { ListenerTerms, Topic } from "./actions.js";
import type { Random } from "./random.js";
import { AnswerErrors, type Subscription } from "./replica.js";
import type { VirtualTime } from "./time.js";

const PRIVATE: Readonly<Record<Exclude<Topic, "ticker" | "book">, readonly [field: string, rows: string]>> = {
  orders: ["orders", "rows: orders { orderId clientOid category symbol status cumExecQty qty quoteQty price } gone"],
  fills: ["fills", "rows: fills { execId orderId price qty }"],
  positions: ["positions", "rows: positions { category symbol posSide qty } gone"],
  balances: ["accountUpdates", "rows: balances { coin balance available frozen locked }"],
};

const PUBLIC = {
  ticker: "ticker { lastPrice bid1Price ask1Price }",
  book: "orderBook { time asks { price qty } bids { price qty } }",
} as const;

/** The operation of a topic. */
export function subscriptionTo({ topic, depth = "L5" }: Pick<ListenerTerms, "topic" | "depth">): string {
  if (topic === "ticker" || topic === "book") {
    const [field, more] = topic === "ticker" ? ["ticker", ""] : ["orderBook", `, depth: ${depth}`];
    return `subscription ($category: ProductCategoryInput!, $symbol: String!) {
      event: ${field}(category: $category, symbol: $symbol${more}) { ${PUBLIC[topic]} }
    }`;
  }
  const [field, rows] = PRIVATE[topic];
  return `subscription ($accounts: [String!]!, $pace: PaceInput!) {
    event: ${field}(accounts: $accounts, pace: $pace) { account { name } ${rows} }
  }`;
}

/** A process of the gateway. */
export interface ServingGateway {
  /** World time of the exchange's first answer to it that is no refusal: it knows the exchange's time since then. */
  readonly answeredAt: number | undefined;
}

/** An event as a client receives it. */
export interface ListenerEvent {
  readonly data: { readonly event: Readonly<Record<string, unknown>> | null } | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
  readonly extensions?: {
    readonly stream?: {
      readonly kind: "snapshot" | "update";
      /** ISO 8601. */
      readonly time: string;
      readonly stale: boolean;
      readonly position?: string;
      readonly recovered?: boolean;
      readonly missed?: { readonly from: string | null; readonly to: string };
    };
    readonly missed?: number;
  };
}

/** Receives what happens to listeners. */
export interface ListenerObserver {
  /** `after`: the position from which it goes on; `null` without one. */
  subscribed(listener: Listener, after: string | null): void;
  heard(listener: Listener, event: ListenerEvent): void;
  /** It is not subscribed any more. */
  left(listener: Listener): void;
}

/** What the world does for listeners. */
export interface ListenerWorld {
  readonly time: VirtualTime;
  readonly random: Random;
  /**
   * Subscribes at a gateway: the preferred one, or another that serves; undefined if none does. Throws the errors of a refusal.
   * `asking` is told which gateway it is, before that has answered.
   */
  subscribe(
    listener: Listener,
    place: number,
    after: string | null,
    sink: SubscriberSink,
    asking: (gateway: ServingGateway) => void,
  ): Promise<(Subscription & { readonly gateway: ServingGateway }) | undefined>;
}

const RETRY_MS = 700;

/** A client's end of one connection. */
class Session implements SubscriberSink {
  isOpen = true;
  unsentBytes = 0;
  /** World time from which on everything reaches it at once. */
  readsSince = Number.NEGATIVE_INFINITY;
  readonly backlog = { bytes: 0 };
  gateway: ServingGateway | undefined;
  /** The gateway of its connection, which may not have answered yet. */
  connected: ServingGateway | undefined;
  leave: () => void = () => undefined;
  #drained: (() => void) | undefined;

  constructor(
    private readonly heard: (event: ListenerEvent) => void,
    private readonly onCut: () => void,
  ) {}

  write(frames: Frames): void {
    if (!this.isOpen) return;
    for (const line of frames.eventStream.split("\n")) if (line.startsWith("data: ")) this.heard(JSON.parse(line.slice(6)));
  }

  onceDrained(task: () => void): () => void {
    this.#drained = task;
    return () => {
      this.#drained = undefined;
    };
  }

  cut(): void {
    this.onCut();
  }

  /** Nothing reaches it until then, perhaps for another reason, too. */
  reachedFrom(time: number): void {
    this.readsSince = Math.max(this.readsSince, time);
  }

  /** It reads everything that was written. */
  drain(): void {
    this.unsentBytes = 0;
    this.#drained?.();
  }
}

/** More than a reader may leave unread. */
const MUCH = 1024 * 1024;

/** A client that subscribes, leaves and resumes from the position of its last event. */
export class Listener {
  #session: Session | undefined;
  #position: string | null = null;
  #place: number;
  #isWanted = true;

  constructor(
    readonly name: string,
    readonly terms: ListenerTerms,
    place: number,
    private readonly world: ListenerWorld,
    private readonly observer: ListenerObserver,
  ) {
    this.#place = place;
    void this.#connect();
  }

  /** Whether it is subscribed. */
  get isUp(): boolean {
    return this.#session?.gateway !== undefined;
  }

  /** The gateway that it is subscribed at, or is about to be. */
  get gateway(): ServingGateway | undefined {
    return this.#session?.connected;
  }

  /** World time from which on everything reaches it at once; infinite while it is not subscribed. */
  get readsSince(): number {
    return this.isUp ? (this.#session?.readsSince ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  }

  /** Leaves, and goes on at another gateway after a time. */
  hop(place: number, awayMs: number): void {
    this.#place = place;
    this.#end();
    this.#again(awayMs);
  }

  /** Reads nothing for a time. */
  pause(forMs: number): void {
    const session = this.#session;
    if (session === undefined) return;
    const { time } = this.world;
    session.unsentBytes = MUCH;
    session.reachedFrom(time.now + forMs);
    time.at(this.name, time.now + forMs, () => session.drain());
  }

  /** The process of its connection can tell it nothing for a time. */
  deafened(gateway: object, forMs: number): void {
    if (this.#session?.gateway === gateway) this.#session.reachedFrom(this.world.time.now + forMs);
  }

  /** The process of its connection is gone. */
  lost(gateway: object): void {
    if (this.#session?.connected !== gateway) return;
    this.#end();
    this.#again(this.world.random.between(0, 1_500));
  }

  /** Leaves for good. */
  close(): void {
    this.#isWanted = false;
    this.#end();
  }

  #again(afterMs: number): void {
    this.world.time.at(this.name, this.world.time.now + afterMs, () => {
      if (this.#isWanted && this.#session === undefined) void this.#connect();
    });
  }

  #end(): void {
    const session = this.#session;
    if (session === undefined) return;
    this.#session = undefined;
    session.isOpen = false;
    session.leave();
    this.observer.left(this);
  }

  /** Undefined if it is refused: it tries again. */
  async #subscribe(after: string | null, session: Session) {
    try {
      return await this.world.subscribe(this, this.#place, after, session, (gateway) => {
        session.connected = gateway;
      });
    } catch (error) {
      if (error instanceof AnswerErrors) return undefined;
      throw error;
    }
  }

  async #connect(): Promise<void> {
    const after = this.#position;
    let isFirst = true;
    const heard = (event: ListenerEvent): void => {
      if (this.#session !== session) return;
      if (isFirst) this.observer.subscribed(this, after);
      isFirst = false;
      this.#position = event.extensions?.stream?.position ?? this.#position;
      this.observer.heard(this, event);
      // The stream of one of its accounts has ended: to get it back, a client subscribes again.
      if (event.errors !== undefined) ended();
    };
    const ended = (): void => {
      if (this.#session !== session) return;
      this.#end();
      this.#again(RETRY_MS);
    };
    const session = new Session(heard, ended);
    this.#session = session;
    const subscription = await this.#subscribe(after, session);
    if (this.#session !== session) {
      subscription?.leave();
      return;
    }
    if (subscription === undefined) {
      ended();
      return;
    }
    session.gateway = subscription.gateway;
    session.leave = subscription.leave;
    subscription.ended.then(ended, ended);
  }
}
