import type { Role, Topic, TopicSink } from "../../../../src/datasources/streams/index.js";
import { LineWatch } from "./lineWatch.js";
import { FORGOTTEN_MS, type GroupNotice, type Leadership } from "./relayStore.js";
import { type RelayParts, RelayTopic } from "./relayTopic.js";

const LEASE_MS = 4_000;
/** Interval at which it is renewed, or tried; a replica that may lead also tries when it expires. */
const RENEW_MS = 1_000;
/** Validity of a request to lead. */
const WANT_MS = 5_000;
/** A leader that has not renewed its lease for this long may be gone. */
const SILENT_MS = 2_500;
/** Time to wait for an unreachable store before each replica subscribes itself, and its jitter. */
const ALONE_MS = 3_000;
const ALONE_SPREAD_MS = 5_000;
/** Maximum wait of a stopping leader for another replica to be ready. */
const LEAVE_MS = 3_000;
/** Jitter after the store has come back. */
const BACK_SPREAD_MS = 500;

interface GroupParts extends RelayParts {
  /** Between 0 and 1; jitter for actions of all replicas. */
  readonly random: () => number;
  readonly topicOf: (key: string) => Topic | undefined;
  readonly onEmpty: () => void;
}

/** Topics that one replica subscribes to for all: those of an account or a symbol. */
export class RelayGroup {
  readonly #topics = new Map<string, RelayTopic>();
  readonly #stopListening: () => void;
  #role: Role = "JOINING";
  #fence: number | undefined;
  #cancelNext: (() => void) | undefined;
  #isRenewing = false;
  #isDue = false;
  #nextRenewalAt = 0;
  /** Whether there is a request to lead that the leader does not know of. */
  #hasNewRequest = false;
  readonly #line = new LineWatch();
  /** Called with the replicas that are ready to lead. */
  #ready = (_replica: string): void => undefined;
  #isWantedElsewhere = false;
  /** Where the logs of topics end that nobody wants any more, under this lease, and since when; at most one of each topic there is. */
  readonly #ends = new Map<string, { readonly published: number; readonly at: number }>();
  /** Whether this replica prepares to lead. */
  #isPreparing = false;
  /** Fence of the last lease that was followed. */
  #followed = 0;
  #isHandedOver = false;
  #isClosed = false;

  constructor(
    private readonly parts: GroupParts,
    readonly name: string,
    /** Undefined for those of a symbol. */
    readonly account: string | undefined,
  ) {
    this.#stopListening = parts.store.listenToGroup(name, (notice) => this.#noticed(notice));
  }

  get role(): Role {
    return this.#role;
  }

  listen(key: string, topic: Topic, sink: TopicSink): RelayTopic {
    const existing = this.#topics.get(key);
    const listened = existing ?? new RelayTopic(this.parts, this.#ownerOf(), key, topic);
    this.#topics.set(key, listened);
    listened.listen(sink);
    this.#hasNewRequest = true;
    if (existing === undefined && this.#role === "LEADING" && this.#fence !== undefined)
      listened.lead(this.#fence, this.#publishedOf(key));
    else if (existing === undefined && this.#role === "ALONE") listened.alone();
    if (this.parts.store.isUp) this.#renew();
    else if (this.#cancelNext === undefined) this.gone();
    return listened;
  }

  /** The last listener of a topic has left. */
  left(key: string): void {
    this.#topics.get(key)?.unlisten();
    if (this.#role !== "LEADING") this.#drop(key);
    else this.#renew();
  }

  /** The store became unreachable: topics subscribed at the exchange continue; the others are subscribed after a delay. */
  gone(): void {
    if (this.#isClosed) return;
    if (this.#role === "LEADING") this.#goAlone();
    else if (this.#role !== "ALONE") {
      for (const topic of this.#topics.values()) topic.suspend();
      this.#next(ALONE_MS + this.parts.random() * ALONE_SPREAD_MS, () => this.#goAlone());
    }
  }

  /** The store is reachable again. */
  back(): void {
    if (!this.#isOver) this.#next(this.parts.random() * BACK_SPREAD_MS, () => this.#renew());
  }

  /**
   * Called before this replica stops: another one leads as soon as it is ready. This replica's subscriptions continue until the
   * end, so that its listeners miss nothing.
   */
  async handOver(): Promise<void> {
    const successor = this.#role === "LEADING" && this.#isWantedElsewhere ? await this.#successor() : undefined;
    this.#isHandedOver = true;
    this.#cancelNext?.();
    if (this.#role !== "LEADING") return;
    const fence = this.#fence;
    this.#goAlone();
    this.#fence = fence;
    await this.#release(successor);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelNext?.();
    this.#stopListening();
    for (const topic of this.#topics.values()) topic.close();
    this.#topics.clear();
    await this.#release();
  }

  /** The topics with a listener at this replica. */
  get #own(): readonly RelayTopic[] {
    return [...this.#topics.values()].filter(({ isListenedTo }) => isListenedTo);
  }

  get #isOver(): boolean {
    return this.#isClosed || this.#isHandedOver;
  }

  #ownerOf(): ConstructorParameters<typeof RelayTopic>[1] {
    return {
      name: this.name,
      lost: (fence) => {
        if (fence === this.#fence) void this.#begin();
      },
      ended: (key) => this.#drop(key),
      prepared: () => this.#announceIfReady(),
    };
  }

  #noticed(notice: GroupNotice): void {
    const [what, replica] = notice.split(" ");
    if (what === "ready") this.#ready(replica ?? "");
    else if (notice === "leaving") this.#prepare();
    else if (notice.startsWith("renew ")) this.#topics.get(notice.slice("renew ".length))?.renewForOthers();
    else if (notice === "released" || this.#role === "LEADING") this.#renew();
  }

  /** Releases the lease and takes it again, here or on another replica: all restart with it. */
  async #begin(): Promise<void> {
    await this.#release();
    this.#renew();
  }

  async #release(replica?: string): Promise<void> {
    const fence = this.#fence;
    this.#fence = undefined;
    if (fence === undefined || !this.parts.store.isUp) return;
    const successor = replica === undefined ? undefined : { replica, leaseMs: LEASE_MS };
    await this.parts.store.release(this.name, fence, successor).catch((error: unknown) => this.parts.report(error));
  }

  /** Asks who could lead. Resolves to the first replica that is ready; undefined if none is in time. */
  #successor(): Promise<string | undefined> {
    return new Promise((resolve) => {
      const cancel = this.parts.clock.after(LEAVE_MS, () => resolve(undefined));
      this.#ready = (replica) => {
        cancel();
        resolve(replica);
      };
      this.parts.store.notify(this.name, "leaving");
    });
  }

  /** The leader is about to stop. */
  #prepare(): void {
    if (this.#role !== "FOLLOWING" || this.#isOver) return;
    this.#isPreparing = true;
    for (const topic of this.#own) topic.prepare();
  }

  #announceIfReady(): void {
    if (!this.#isPreparing || this.#own.some(({ isPrepared }) => !isPrepared)) return;
    this.#isPreparing = false;
    this.parts.store.notify(this.name, `ready ${this.parts.store.replica}`);
  }

  #renew(): void {
    this.#isDue = true;
    if (this.#isRenewing || this.#isOver) return;
    this.#isRenewing = true;
    void this.#renewWhileDue();
  }

  async #renewWhileDue(): Promise<void> {
    while (this.#isDue && !this.#isOver && this.parts.store.isUp) {
      this.#isDue = false;
      try {
        await this.#renewOnce();
      } catch (error) {
        this.parts.report(error);
      }
    }
    this.#isRenewing = false;
    if (this.#isOver || !this.parts.store.isUp) return;
    this.#next(Math.min(RENEW_MS, Math.max(0, this.#nextRenewalAt - this.parts.clock.now())), () => this.#renew());
  }

  async #renewOnce(): Promise<void> {
    const own = this.#own;
    const hasChanged = this.#hasNewRequest;
    this.#hasNewRequest = false;
    const { clock } = this.parts;
    // A slow answer of the store does not delay the next renewal, because the lease would expire.
    this.#nextRenewalAt = clock.now() + RENEW_MS;
    const leadership = await this.parts.store.lead(this.name, {
      fence: this.#fence,
      mayLead: own.length > 0 && this.#line.mayLead(clock.now(), this.#isUpstreamUp),
      leaseMs: LEASE_MS,
      topics: own.map(({ key }) => key),
      wantMs: WANT_MS,
    });
    if (this.#isOver) {
      if (leadership.isLeader) await this.parts.store.release(this.name, leadership.fence);
    } else if (leadership.isLeader) this.#lead(leadership);
    else {
      if (own.length > 0 && leadership.leftMs > 0) {
        // When the lease ends, and before that when its leader counts as silent.
        const silentInMs = leadership.leftMs - (LEASE_MS - SILENT_MS);
        const checkInMs = silentInMs > 0 ? silentInMs : leadership.leftMs;
        this.#nextRenewalAt = Math.min(this.#nextRenewalAt, clock.now() + checkInMs + 1);
      }
      this.#follow(leadership);
      if (hasChanged) this.parts.store.notify(this.name, "wanted");
    }
  }

  #lead({ fence, wanted, heads }: Leadership): void {
    this.#role = "LEADING";
    if (fence !== this.#fence) this.#ends.clear();
    this.#fence = fence;
    const requested = new Set(wanted);
    for (const key of requested) {
      const topic = this.#topics.has(key) ? undefined : this.parts.topicOf(key);
      if (topic !== undefined) this.#topics.set(key, new RelayTopic(this.parts, this.#ownerOf(), key, topic));
    }
    for (const [key, topic] of [...this.#topics]) {
      if (topic.isListenedTo || requested.has(key)) {
        topic.lead(fence, this.#publishedOf(key), heads.get(key));
        topic.wanted(requested.has(key));
        continue;
      }
      this.#ends.set(key, { published: topic.end(), at: this.parts.clock.now() });
      this.#drop(key);
    }
    this.#isPreparing = false;
    this.#isWantedElsewhere = requested.size > 0;
    if (this.#line.isOver(this.parts.clock.now(), this.#isUpstreamUp, this.#isWantedElsewhere)) void this.#begin();
  }

  /** Number of entries that the topic's log has under this lease, if it is begun again. */
  #publishedOf(key: string): number {
    const end = this.#ends.get(key);
    return end === undefined || this.parts.clock.now() - end.at >= FORGOTTEN_MS ? 0 : end.published;
  }

  get #isUpstreamUp(): boolean {
    return [...this.#topics.values()].some(({ isUpstreamUp }) => isUpstreamUp);
  }

  #follow({ fence, leftMs, heads }: Leadership): void {
    this.#role = "FOLLOWING";
    const isOther = fence !== this.#followed;
    this.#followed = fence;
    this.#fence = undefined;
    this.#line.rest();
    if (isOther) this.#isPreparing = false;
    for (const [key, topic] of [...this.#topics]) {
      if (isOther) topic.abandon();
      if (!topic.isListenedTo) this.#drop(key);
      else if (leftMs < LEASE_MS - SILENT_MS) topic.suspend();
      else {
        topic.follow(fence);
        topic.compare(heads.get(key));
      }
    }
  }

  #goAlone(): void {
    this.#role = "ALONE";
    this.#fence = undefined;
    this.#line.rest();
    for (const topic of this.#topics.values()) topic.alone();
  }

  #drop(key: string): void {
    const topic = this.#topics.get(key);
    this.#topics.delete(key);
    topic?.close();
    if (this.#topics.size > 0 || this.#isClosed) return;
    this.parts.onEmpty();
    void this.close();
  }

  #next(ms: number, task: () => void): void {
    this.#cancelNext?.();
    this.#cancelNext = this.parts.clock.after(ms, () => {
      this.#cancelNext = undefined;
      task();
    });
  }
}
