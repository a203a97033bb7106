import type { Clock } from "@exchange-graph/contract/clock";
import type {
  GroupNotice,
  Joined,
  KeptState,
  Leadership,
  LeadRequest,
  RelayEntry,
  RelayStore,
  Successor,
} from "../../packages/replicas/src/relay/relayStore.js";
import { StoreUnreachable } from "../../src/datasources/errors/storeUnreachable.js";

interface Log {
  head: Pick<RelayEntry, "fence" | "seq">;
  entries: RelayEntry[];
  kept: (KeptState & { readonly fence: number }) | undefined;
}

/** The engine that the stores of several replicas share, on the test's clock. */
export class RelayEngine {
  readonly #leases = new Map<string, { owner: string; fence: number; until: number }>();
  readonly #wants = new Map<string, Map<string, number>>();
  readonly #logs = new Map<string, Log>();
  readonly #entryListeners = new Map<string, Set<(entry: RelayEntry) => void>>();
  readonly #groupListeners = new Map<string, Set<(notice: GroupNotice) => void>>();
  readonly #stores: EngineStore[] = [];
  #fence = 0;
  #isUp = true;
  /** Entries that are lost before they reach their subscribers. */
  loses: (entry: RelayEntry) => boolean = () => false;
  /** Replicas whose lease checks get no response. */
  losesLook: (replica: string) => boolean = () => false;
  published = 0;

  constructor(
    readonly clock: Clock,
    private readonly logLength = 512,
  ) {}

  store(replica: string): EngineStore {
    const store = new EngineStore(this, replica);
    this.#stores.push(store);
    return store;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Takes the engine down or brings it back; `isEmpty`: it has lost its data. */
  setUp(isUp: boolean, isEmpty = false): void {
    this.#isUp = isUp;
    if (isEmpty) for (const kept of [this.#leases, this.#wants, this.#logs]) kept.clear();
    for (const store of this.#stores) store.changed(isUp);
  }

  leaderOf(group: string): string | undefined {
    const lease = this.#leases.get(group);
    return lease !== undefined && lease.until > this.clock.now() ? lease.owner : undefined;
  }

  /** Gives the lease to `owner`, a replica or none, without notifying the previous owner. */
  steal(group: string, owner: string, ms: number): void {
    this.#leases.set(group, { owner, fence: ++this.#fence, until: this.clock.now() + ms });
  }

  lead(me: string, group: string, wish: LeadRequest): Leadership {
    const now = this.clock.now();
    const wants = this.#wants.get(group) ?? new Map<string, number>();
    this.#wants.set(group, wants);
    for (const topic of wish.topics) wants.set(`${me}|${topic}`, now + wish.wantMs);
    const last = this.#leases.get(group);
    let lease = last !== undefined && last.until > now ? last : undefined;
    if (last?.owner === me && last.fence === wish.fence) {
      last.until = now + wish.leaseMs;
      lease = last;
    } else if ((lease === undefined && wish.mayLead) || lease?.owner === me)
      lease = { owner: me, fence: ++this.#fence, until: now + wish.leaseMs };
    if (lease !== undefined) this.#leases.set(group, lease);
    const others = [...wants].filter(([who, until]) => until > now && !who.startsWith(`${me}|`));
    return {
      isLeader: lease?.owner === me,
      fence: lease?.fence ?? 0,
      leftMs: lease === undefined ? 0 : lease.until - now,
      wanted: [...new Set(others.map(([who]) => who.slice(who.indexOf("|") + 1)))],
      heads: new Map(
        wish.topics.flatMap((topic) => {
          const log = this.#logs.get(`${group}|${topic}`);
          return log === undefined ? [] : [[topic, log.head]];
        }),
      ),
    };
  }

  release(me: string, group: string, fence: number, successor: Successor | undefined): void {
    const lease = this.#leases.get(group);
    if (lease?.owner !== me || lease.fence !== fence) return;
    if (successor === undefined) this.#leases.delete(group);
    else this.#leases.set(group, { owner: successor.replica, fence, until: this.clock.now() + successor.leaseMs });
    this.notify(group, "released");
  }

  publish(me: string, group: string, topic: string, entry: RelayEntry): boolean {
    const lease = this.#leases.get(group);
    if (lease?.owner !== me || lease.fence !== entry.fence) return false;
    const key = `${group}|${topic}`;
    let log = this.#logs.get(key);
    if (log === undefined || log.head.fence !== entry.fence) {
      log = { head: { fence: entry.fence, seq: 0 }, entries: [], kept: undefined };
      this.#logs.set(key, log);
    }
    if (entry.seq !== log.head.seq + 1) return false;
    log.head = entry;
    log.entries.push(entry);
    if (log.entries.length > this.logLength) log.entries.shift();
    this.published++;
    if (!this.loses(entry)) for (const heard of this.#entryListeners.get(key) ?? []) queueMicrotask(() => heard(entry));
    return true;
  }

  keep(group: string, topic: string, fence: number, state: KeptState): void {
    const log = this.#logs.get(`${group}|${topic}`);
    if (log?.head.fence === fence) log.kept = { ...state, fence };
  }

  join(group: string, topic: string): Joined {
    const log = this.#logs.get(`${group}|${topic}`);
    return log === undefined ? { head: undefined, kept: undefined, entries: [] } : { ...log, entries: [...log.entries] };
  }

  listen(group: string, topic: string, heard: (entry: RelayEntry) => void): () => void {
    return added(this.#entryListeners, `${group}|${topic}`, heard);
  }

  listenToGroup(group: string, heard: (notice: GroupNotice) => void): () => void {
    return added(this.#groupListeners, group, heard);
  }

  notify(group: string, notice: GroupNotice): void {
    for (const heard of this.#groupListeners.get(group) ?? []) queueMicrotask(() => heard(notice));
  }
}

function added<T>(sets: Map<string, Set<T>>, key: string, one: T): () => void {
  const set = sets.get(key) ?? new Set<T>();
  sets.set(key, set.add(one));
  return () => set.delete(one);
}

/** One replica's connection to the engine. */
class EngineStore implements RelayStore {
  readonly #listeners: ((isUp: boolean) => void)[] = [];
  #isKilled = false;

  constructor(
    private readonly engine: RelayEngine,
    readonly replica: string,
  ) {}

  get isUp(): boolean {
    return this.engine.isUp && !this.#isKilled;
  }

  get isConfirmed(): boolean {
    return true;
  }

  /** Stops all traffic in both directions; its leases last until they expire. */
  kill(): void {
    this.#isKilled = true;
  }

  changed(isUp: boolean): void {
    if (this.#isKilled) return;
    for (const listener of this.#listeners) listener(isUp);
  }

  onChange(listener: (isUp: boolean) => void): void {
    this.#listeners.push(listener);
  }

  lead(group: string, wish: LeadRequest): Promise<Leadership> {
    if (this.engine.losesLook(this.replica)) return Promise.reject(new StoreUnreachable("a look was lost"));
    return this.#asked(() => this.engine.lead(this.replica, group, wish));
  }

  release(group: string, fence: number, successor?: Successor): Promise<void> {
    return this.#asked(() => this.engine.release(this.replica, group, fence, successor));
  }

  publish(group: string, topic: string, entry: RelayEntry): Promise<boolean> {
    return this.#asked(() => this.engine.publish(this.replica, group, topic, entry));
  }

  keep(group: string, topic: string, fence: number, state: KeptState): Promise<void> {
    return this.#asked(() => this.engine.keep(group, topic, fence, state));
  }

  join(group: string, topic: string): Promise<Joined> {
    return this.#asked(() => this.engine.join(group, topic));
  }

  since(group: string, topic: string, seq: number): Promise<readonly RelayEntry[]> {
    return this.#asked(() => this.engine.join(group, topic).entries.filter((entry) => entry.seq > seq));
  }

  listen(group: string, topic: string, heard: (entry: RelayEntry) => void): () => void {
    return this.engine.listen(group, topic, (entry) => {
      if (!this.#isKilled) heard(entry);
    });
  }

  listenToGroup(group: string, heard: (notice: GroupNotice) => void): () => void {
    return this.engine.listenToGroup(group, (notice) => {
      if (!this.#isKilled) heard(notice);
    });
  }

  notify(group: string, notice: GroupNotice): void {
    if (this.isUp) this.engine.notify(group, notice);
  }

  async #asked<T>(task: () => T): Promise<T> {
    if (!this.isUp) throw new StoreUnreachable("the engine is gone");
    return task();
  }
}
