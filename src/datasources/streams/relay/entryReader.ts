import type { Entry, RelayStore } from "../../ports/relayStore.js";
import { type Message, readMessage, writeMessage } from "./message.js";

/** Entries that wait while the log is read. */
const MAX_BUFFERED = 2_000;

type Position = Pick<Entry, "fence" | "seq">;
const NOWHERE: Position = { fence: 0, seq: 0 };

interface ReaderParts {
  readonly store: RelayStore;
  readonly report: (error: unknown) => void;
}

/** What becomes of what is read. */
interface ReaderSink {
  /** What follows is a stream of its own: nothing before it goes on with it. */
  begins(): void;
  take(message: Message): void;
  /** An entry is of another format, or damaged. */
  unreadable(): void;
  /** What is known cannot be made whole now. */
  broke(): void;
}

/** Reads what another replica passes on of a topic: in order, and with every gap reported. */
export class EntryReader {
  #stopHearing: (() => void) | undefined;
  #position = NOWHERE;
  #lastHead = NOWHERE;
  /** Entries that came while the log was being read; nothing while it is not. */
  #buffered: Entry[] | undefined;
  /** Different after each new beginning: what was asked for before it counts no more. */
  #joining = 0;

  constructor(
    private readonly parts: ReaderParts,
    private readonly group: string,
    private readonly key: string,
    private readonly sink: ReaderSink,
  ) {}

  get isReading(): boolean {
    return this.#stopHearing !== undefined;
  }

  start(): void {
    this.#stopHearing = this.parts.store.hear(this.group, this.key, (entry) => this.#heard(entry));
    this.#rejoin();
  }

  stop(): void {
    this.#stopHearing?.();
    this.#stopHearing = undefined;
    this.#joining++;
    this.#buffered = undefined;
    this.#position = NOWHERE;
    this.#lastHead = NOWHERE;
  }

  /** Has everything come of a log that is so far? */
  hasAll(head: Position | undefined): boolean {
    const { fence, seq } = this.#position;
    return this.#buffered === undefined && (head === undefined || (head.fence === fence && head.seq <= seq));
  }

  /** How far the log is: what was there at the last look and has not come by now was lost on its way. */
  compare(head: Position | undefined): void {
    if (!this.isReading || this.#buffered !== undefined) return;
    const { fence, seq } = this.#lastHead;
    if (fence > this.#position.fence) this.#rejoin();
    else if (fence === this.#position.fence && seq > this.#position.seq) this.#catchUp();
    this.#lastHead = head ?? NOWHERE;
  }

  #heard(entry: Entry): void {
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

  #begin(entry: Entry): void {
    this.sink.begins();
    this.#take(entry);
  }

  #take({ fence, seq, text }: Entry): void {
    this.#position = { fence, seq };
    const message = readMessage(text);
    if (message !== undefined) this.sink.take(message);
    else {
      this.parts.report(new Error(`an entry of ${this.key} cannot be read`));
      this.sink.unreadable();
    }
  }

  /** Reads what was missed. Where the log does not reach back so far, a new beginning is made. */
  #catchUp(next?: Entry): void {
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
        // Where the topic was refused, whoever leads tries again for whoever wants it now.
        if (head === undefined || hasFailed(entries.at(-1))) return true;
        const ours = entries.filter(({ fence }) => fence === head.fence);
        const start = kept?.seq ?? 0;
        const later = ours.filter(({ seq }) => seq > start);
        if (start < head.seq && later[0]?.seq !== start + 1) return false;
        this.#begin({ fence: head.fence, seq: start, text: kept?.text ?? writeMessage({ kind: "down" }) });
        for (const entry of later) if (entry.seq === this.#position.seq + 1) this.#take(entry);
        return this.#position.seq >= head.seq;
      };
    });
  }

  /** Buffers what comes while the store is asked. Where that leads nowhere, the next look restarts it. */
  #read(buffered: Entry[], ask: () => Promise<() => boolean>): void {
    const joining = ++this.#joining;
    this.#buffered = buffered;
    ask().then(
      (apply) => {
        if (joining !== this.#joining) return;
        const isWhole = apply();
        const waiting = this.#buffered ?? [];
        this.#buffered = undefined;
        if (!isWhole) this.#broke();
        else for (const entry of waiting) if (joining === this.#joining) this.#heard(entry);
      },
      (error: unknown) => {
        if (joining !== this.#joining) return;
        this.#buffered = undefined;
        this.parts.report(error);
        this.#broke();
      },
    );
  }

  /** It counts as interrupted, and the next look restarts it. */
  #broke(): void {
    this.sink.broke();
    this.#position = NOWHERE;
    this.#lastHead = { fence: Number.MAX_SAFE_INTEGER, seq: 0 };
  }
}

const hasFailed = (entry: Entry | undefined): boolean => entry !== undefined && readMessage(entry.text)?.kind === "failed";
