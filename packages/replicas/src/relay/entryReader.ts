import { type Message, readMessage } from "./message.js";
import type { RelayEntry, RelayStore } from "./relayStore.js";

/** Maximum number of entries buffered while the log is read. */
const MAX_BUFFERED = 2_000;

type Position = Pick<RelayEntry, "fence" | "seq">;
const NOWHERE: Position = { fence: 0, seq: 0 };

interface ReaderParts {
  readonly store: RelayStore;
  readonly report: (error: unknown) => void;
}

interface ReaderSink {
  /** The following entries belong to a new stream, independent of earlier ones. */
  begins(): void;
  take(message: Message): void;
  /** The messages that stand for the whole log; `undefined` is an entry that could not be decoded. */
  stateAfter(log: readonly (Message | undefined)[]): readonly Message[];
  /** Whether these messages, with which a log begins, are older than what listeners have from the exchange. */
  isBehind(state: readonly Message[]): boolean;
  /** An entry has another format, or is damaged. */
  unreadable(): void;
  /** A gap cannot be filled now. */
  broke(): void;
}

/** Reads the entries of a topic that another replica publishes: in order, and with every gap reported. */
export class EntryReader {
  #stopListening: (() => void) | undefined;
  #position = NOWHERE;
  #lastHead = NOWHERE;
  /** The lease of the replica that leads, by the last answer of the store. */
  #fence = 0;
  /** Entries that arrived while the log is being read; undefined otherwise. */
  #buffered: RelayEntry[] | undefined;
  /** Changes with each restart: answers to earlier requests are ignored. */
  #joining = 0;

  constructor(
    private readonly parts: ReaderParts,
    private readonly group: string,
    private readonly key: string,
    private readonly sink: ReaderSink,
  ) {}

  get isReading(): boolean {
    return this.#stopListening !== undefined;
  }

  /** Reads what is published under this lease, and under later ones. */
  follow(fence: number): void {
    this.#fence = fence;
    if (this.isReading) return;
    this.#stopListening = this.parts.store.listen(this.group, this.key, (entry) => this.#received(entry));
    this.#rejoin();
  }

  stop(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#joining++;
    this.#buffered = undefined;
    this.#position = NOWHERE;
    this.#lastHead = NOWHERE;
  }

  /** Whether all entries up to this head have arrived. */
  hasAll(head: Position | undefined): boolean {
    const { fence, seq } = this.#position;
    return this.#buffered === undefined && (head === undefined || (head.fence === fence && head.seq <= seq));
  }

  /** Compares with the log's head: entries that were there at the last check and have not arrived by now are lost. */
  compare(head: Position | undefined): void {
    if (!this.isReading || this.#buffered !== undefined) return;
    const { fence, seq } = this.#lastHead;
    if (fence > this.#position.fence) this.#rejoin();
    else if (fence === this.#position.fence && seq > this.#position.seq) this.#catchUp();
    this.#lastHead = head ?? NOWHERE;
  }

  #received(entry: RelayEntry): void {
    if (this.#buffered !== undefined) {
      if (this.#buffered.length < MAX_BUFFERED) this.#buffered.push(entry);
      else this.#rejoin();
      return;
    }
    const { fence, seq } = this.#position;
    if (entry.fence < fence || (entry.fence === fence && entry.seq <= seq)) return;
    if (entry.fence === fence && entry.seq === seq + 1) this.#take(entry);
    else if (entry.fence > fence && entry.seq === 1) this.#begin(entry);
    else if (entry.fence === fence) this.#catchUp(entry);
    else this.#rejoin();
  }

  #begin(entry: RelayEntry): void {
    const message = readMessage(entry.text);
    if (message !== undefined && this.sink.isBehind([message])) {
      this.#broke();
      return;
    }
    this.sink.begins();
    this.#take(entry);
  }

  #take({ fence, seq, text }: RelayEntry): void {
    this.#position = { fence, seq };
    const message = this.#decoded(text);
    if (message !== undefined) this.sink.take(message);
    else this.sink.unreadable();
  }

  #decoded(text: string): Message | undefined {
    const message = readMessage(text);
    if (message === undefined) this.parts.report(new Error(`an entry of ${this.key} cannot be read`));
    return message;
  }

  /** Reads missed entries. If the log does not reach back far enough, it restarts. */
  #catchUp(next?: RelayEntry): void {
    const { fence, seq } = this.#position;
    this.#read(next === undefined ? [] : [next], async () => {
      const missed = (await this.parts.store.since(this.group, this.key, seq)).filter((entry) => entry.fence === fence);
      return () => {
        for (const entry of missed) if (entry.seq === this.#position.seq + 1) this.#take(entry);
        return this.#position.seq > seq;
      };
    });
  }

  #rejoin(): void {
    this.#read([], async () => {
      const { head, kept, entries } = await this.parts.store.join(this.group, this.key);
      return () => {
        // A former leader's log does not go on. If the topic was refused, the leader tries again for the new listener.
        if (head === undefined || head.fence < this.#fence || hasFailed(entries.at(-1))) return true;
        const current = entries.filter(({ fence }) => fence === head.fence);
        const start = kept?.seq ?? 0;
        const later = current.filter(({ seq }) => seq > start);
        if (start < head.seq && later[0]?.seq !== start + 1) return false;
        if (later.some(({ seq }, at) => seq !== start + 1 + at)) return false;
        const log = [kept?.text, ...later.map(({ text }) => text)].flatMap((text) =>
          text === undefined ? [] : [this.#decoded(text)],
        );
        const state = this.sink.stateAfter(log);
        if (this.sink.isBehind(state)) return false;
        this.sink.begins();
        this.#position = { fence: head.fence, seq: later.at(-1)?.seq ?? start };
        for (const message of state) this.sink.take(message);
        if (log.at(-1) === undefined && log.length > 0) this.sink.unreadable();
        return this.#position.seq >= head.seq;
      };
    });
  }

  /** Buffers entries while the store is asked. If that fails, the next check restarts it. */
  #read(buffered: RelayEntry[], ask: () => Promise<() => boolean>): void {
    const joining = ++this.#joining;
    this.#buffered = buffered;
    ask().then(
      (apply) => {
        if (joining !== this.#joining) return;
        const isWhole = apply();
        const waiting = this.#buffered ?? [];
        this.#buffered = undefined;
        if (!isWhole) this.#broke();
        else for (const entry of waiting) if (joining === this.#joining) this.#received(entry);
      },
      (error: unknown) => {
        if (joining !== this.#joining) return;
        this.#buffered = undefined;
        this.parts.report(error);
        this.#broke();
      },
    );
  }

  /** The topic counts as interrupted, and the next check restarts it. */
  #broke(): void {
    this.sink.broke();
    this.#position = NOWHERE;
    this.#lastHead = { fence: Number.MAX_SAFE_INTEGER, seq: 0 };
  }
}

const hasFailed = (entry: RelayEntry | undefined): boolean => entry !== undefined && readMessage(entry.text)?.kind === "failed";
