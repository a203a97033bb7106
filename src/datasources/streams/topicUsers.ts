import type { Clock } from "@exchange-graph/contract/clock";
import type { ExchangeAccount, KnownUsers } from "../calls/index.js";
import { Fault } from "../errors/index.js";
import type { Users } from "../reads/index.js";

/** Pause between attempts to read a user; it doubles each time. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** The exchange's user of an account, by which its events are recorded: they are the user's, whatever name and key the account has. */
export class TopicUsers {
  readonly #pauses = new Set<() => void>();

  constructor(
    private readonly exchange: { readonly users: Pick<Users, "of">; readonly knownUsers: KnownUsers },
    private readonly clock: Clock,
    /** Called with unexpected errors. */
    private readonly report: (error: unknown) => void,
  ) {}

  /**
   * The user; a promise while it is read, with retries while the exchange cannot be reached. If the exchange refuses to answer: the
   * key's placeholder.
   */
  of(account: ExchangeAccount): string | Promise<string> {
    return this.exchange.knownUsers.cachedUser(account) ?? this.#ask(account, this.exchange.knownUsers.standInOf(account));
  }

  /** Ends all retries. */
  close(): void {
    for (const cancel of this.#pauses) cancel();
    this.#pauses.clear();
  }

  async #ask(account: ExchangeAccount, placeholder: string): Promise<string> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
      try {
        return await this.exchange.users.of(account);
      } catch (error) {
        if (!(error instanceof Fault)) this.report(error);
        if (!(error instanceof Fault && error.extensions.retryable)) return placeholder;
      }
      await this.#pause(pauseMs);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.clock.after(ms, () => {
        this.#pauses.delete(cancel);
        resolve();
      });
      this.#pauses.add(cancel);
    });
  }
}
