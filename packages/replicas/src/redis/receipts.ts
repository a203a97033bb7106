import { CONFIRMED_FOR_MS } from "./confirmation.js";
import type { RedisEngine } from "./redisEngine.js";
import { SAME_EPOCH, script } from "./script.js";

/** A replica that gives no receipt for this long no longer relies on its notices; its clock may be ten percent slow. */
const LONGEST_MS = CONFIRMED_FOR_MS * 1.2;

/** KEYS: epoch. ARGV: epoch, channel, message. Returns the number of replicas that get it. */
const ASK = script(
  "ask",
  `${SAME_EPOCH}
  return redis.call('PUBLISH', ARGV[2], ARGV[3])
`,
);

interface PendingConfirmation {
  receipts: number;
  /** Number of receipts to wait for; undefined before it is known. */
  expected: number | undefined;
  readonly received: () => void;
}

/**
 * Receipts of the other replicas for notices. Messages arrive at a replica in the order in which they were published, so its
 * receipt for one confirms everything that was published before. Together with `Confirmation` this closes the gap between a write
 * and the answers of other replicas: each of them either has received the notice, or does not answer from memory.
 */
export class Receipts {
  readonly #pending = new Map<number, PendingConfirmation>();
  #last = 0;
  /** Number of replicas at the last request, and of those without a receipt, which are not awaited again. */
  #replicas = 0;
  #absent = 0;

  constructor(private readonly engine: RedisEngine) {
    const { replica } = engine.settings;
    engine.listen(this.#channel("asked"), (message) => {
      const at = message.lastIndexOf(" ");
      const [asker, number] = [message.slice(0, at), message.slice(at + 1)];
      if (asker !== replica) engine.notify(this.#channel(`of ${asker}`), number, LONGEST_MS);
    });
    engine.listen(this.#channel(`of ${replica}`), (number) => this.#received(Number.parseInt(number, 10)));
  }

  /**
   * Resolves when everything that was published before has arrived at every other replica, or when the others no longer rely on
   * having it. Never rejects: without a connection nothing can be confirmed.
   */
  async all(): Promise<void> {
    const { clock } = this.engine;
    const number = ++this.#last;
    await new Promise<void>((resolve) => {
      const confirmation: PendingConfirmation = { receipts: 0, expected: undefined, received: resolve };
      this.#pending.set(number, confirmation);
      const sent = this.engine.run(ASK, [], [this.#channel("asked"), `${this.engine.settings.replica} ${number}`], LONGEST_MS);
      sent.then(
        (replicas) => {
          const others = Number.parseInt(String(replicas), 10) - 1;
          if (others !== this.#replicas) this.#absent = 0;
          this.#replicas = others;
          confirmation.expected = others - this.#absent;
          this.#resolveIfDone(number, confirmation);
        },
        (error: unknown) => {
          this.engine.report(error);
          this.#pending.delete(number);
          resolve();
        },
      );
      clock.after(LONGEST_MS, () => {
        if (!this.#pending.delete(number)) return;
        if (confirmation.expected !== undefined) this.#absent = Math.max(0, this.#replicas - confirmation.receipts);
        resolve();
      });
    });
  }

  #received(number: number): void {
    const confirmation = this.#pending.get(number);
    // A late receipt shows that its replica is reachable again.
    if (confirmation === undefined) this.#absent = Math.max(0, this.#absent - 1);
    else {
      confirmation.receipts++;
      this.#resolveIfDone(number, confirmation);
    }
  }

  #resolveIfDone(number: number, confirmation: PendingConfirmation): void {
    if (confirmation.expected === undefined || confirmation.receipts < confirmation.expected) return;
    confirmation.received();
    if (confirmation.receipts < this.#replicas) return;
    this.#absent = 0;
    this.#pending.delete(number);
  }

  #channel(name: string): string {
    return this.engine.key("receipts", name);
  }
}
