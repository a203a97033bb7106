import type { Clock } from "@exchange-graph/contract/clock";
import { standIn } from "../../errors/index.js";
import {
  addressOf,
  isAround,
  isUnsettled,
  type JournalEntry,
  mayFollow,
  type NewEntry,
  sent,
  type WriteMoment,
  withEnd,
} from "./journalEntry.js";
import { whenEnded } from "./whenEnded.js";
import {
  type Claim,
  type JournalState,
  journalUnavailable,
  KeyTaken,
  LEASE_MS,
  OPEN_KEPT_MS,
  PRUNE_EVERY,
  REMEMBERED_ENTRIES,
  REMEMBERED_MS,
  type WriteJournal,
} from "./writeJournal.js";

/** The entries of journals that share one memory. */
export class SharedEntries {
  /** By number, in order of recording. */
  readonly entries = new Map<number, JournalEntry>();
  readonly users = new Map<string, string>();
  /** Numbers of sent entries by key. */
  readonly byKey = new Map<string, number>();
  readonly owners = new Map<number, object>();
  /** End of each owner's lease; closed owners have none. */
  readonly leases = new Map<object, number>();
  readonly rights = new Map<string, { readonly owner: object; readonly until: number }>();
  lastSeq = 0;
}

/** A journal in memory, lost with the process. */
export class MemoryJournal implements WriteJournal {
  readonly state: JournalState = { unavailable: undefined, kept: 0, syncs: 0, hasLost: false };
  readonly #owner = {};
  #hasClaimed = false;
  #isClosed = false;
  #untilPrune = PRUNE_EVERY;

  constructor(
    private readonly clock: Clock,
    private readonly shared = new SharedEntries(),
  ) {}

  async ready(): Promise<void> {
    this.#renew();
  }

  async probe(): Promise<void> {
    this.#renew();
  }

  async record(entry: NewEntry): Promise<JournalEntry> {
    const { entries, byKey, owners } = this.shared;
    const address = addressOf(entry.user, entry.key);
    if (byKey.has(address)) throw new KeyTaken(`there is an entry of the key ${entry.key}`);
    this.#renew();
    if (--this.#untilPrune <= 0) void this.prune(Math.min(entry.sentAt, this.clock.now()));
    const seq = ++this.shared.lastSeq;
    const line = sent(entry, seq);
    entries.set(seq, line);
    owners.set(seq, this.#owner);
    byKey.set(address, seq);
    return line;
  }

  async settle(entry: JournalEntry): Promise<void> {
    const { entries, byKey, owners } = this.shared;
    const present = entries.get(entry.seq);
    if (present === undefined || !isUnsettled(present) || owners.get(entry.seq) !== this.#owner) return;
    const { state } = entry;
    entries.set(entry.seq, withEnd(present, entry));
    if (state === "UNSENT") byKey.delete(addressOf(present.user, present.key));
    if (state !== "UNKNOWN") owners.delete(entry.seq);
  }

  async find(user: string, key: string): Promise<JournalEntry | undefined> {
    const seq = this.shared.byKey.get(addressOf(user, key));
    return seq === undefined ? undefined : this.shared.entries.get(seq);
  }

  ended({ seq }: JournalEntry, withinMs: number): Promise<JournalEntry | undefined> {
    return whenEnded(this.clock, withinMs, async () => this.shared.entries.get(seq));
  }

  async userOf(key: string): Promise<string | undefined> {
    return this.shared.users.get(key);
  }

  async remember(key: string, user: string): Promise<void> {
    const { entries, byKey, users } = this.shared;
    if (user !== standIn(key)) users.set(key, user);
    for (const [seq, entry] of entries) {
      const address = addressOf(user, entry.key);
      if (entry.user !== standIn(key) || entry.user === user || (entry.state !== "UNSENT" && byKey.has(address))) continue;
      entries.set(seq, { ...entry, user });
      if (byKey.delete(addressOf(entry.user, entry.key))) byKey.set(address, seq);
    }
  }

  async open(): Promise<readonly JournalEntry[]> {
    return this.#where(isUnsettled);
  }

  async claim(): Promise<Claim> {
    const { entries, owners, leases } = this.shared;
    const now = this.clock.now();
    this.#renew();
    const taken: JournalEntry[] = [];
    const held: JournalEntry[] = [];
    for (const [seq, owner] of owners) {
      const entry = entries.get(seq);
      if (entry === undefined || owner === this.#owner) continue;
      const livesUntil = leases.get(owner) ?? 0;
      (livesUntil >= now ? held : taken).push(entry);
      if (livesUntil < now) owners.set(seq, this.#owner);
    }
    for (const [owner, livesUntil] of leases) if (livesUntil < now) leases.delete(owner);
    const tellsHeld = !this.#hasClaimed || taken.length > 0;
    this.#hasClaimed = true;
    return { taken, held: tellsHeld ? held : [] };
  }

  async hold(right: string, forMs: number): Promise<number> {
    const { rights } = this.shared;
    const [now, held] = [this.clock.now(), rights.get(right)];
    if (held !== undefined && held.owner !== this.#owner && held.until > now) return held.until - now;
    rights.set(right, { owner: this.#owner, until: now + forMs });
    return 0;
  }

  async giveUp(right: string): Promise<void> {
    if (this.shared.rights.get(right)?.owner === this.#owner) this.shared.rights.delete(right);
  }

  async around(entry: WriteMoment, withinMs: number): Promise<readonly JournalEntry[]> {
    return this.#where((other) => isAround(entry, withinMs, other));
  }

  async since(entry: JournalEntry): Promise<readonly JournalEntry[]> {
    return this.#where((other) => mayFollow(entry, other));
  }

  async charged(from: number): Promise<readonly JournalEntry[]> {
    return this.#where((entry) => entry.charge !== undefined && (entry.sentAt >= from || isUnsettled(entry)));
  }

  async page(user: string, before: number | undefined, limit: number): Promise<readonly JournalEntry[]> {
    const isBefore = ({ seq }: JournalEntry) => before === undefined || seq < before;
    return this.#where((entry) => entry.user === user && isBefore(entry))
      .toReversed()
      .slice(0, limit);
  }

  async prune(now: number): Promise<void> {
    this.#untilPrune = PRUNE_EVERY;
    const { entries, byKey, owners, lastSeq } = this.shared;
    for (const entry of [...entries.values()]) {
      const { seq, sentAt, user, key, state } = entry;
      const isOver = isUnsettled(entry)
        ? sentAt < now - OPEN_KEPT_MS
        : sentAt < now - REMEMBERED_MS || seq <= lastSeq - REMEMBERED_ENTRIES;
      if (!isOver) continue;
      entries.delete(seq);
      owners.delete(seq);
      if (state !== "UNSENT") byKey.delete(addressOf(user, key));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.shared.leases.delete(this.#owner);
  }

  #renew(): void {
    if (this.#isClosed) throw journalUnavailable("it is closed");
    this.shared.leases.set(this.#owner, this.clock.now() + LEASE_MS);
  }

  #where(holds: (entry: JournalEntry) => boolean): JournalEntry[] {
    return [...this.shared.entries.values()].filter(holds);
  }
}
