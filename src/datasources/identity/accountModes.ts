import { accountSettings } from "@exchange-graph/contract/account";
import type { Clock } from "@exchange-graph/contract/clock";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import type { AccountMode, ExchangeAccount } from "../accounts/exchangeAccount.js";
import { Fault } from "../fault.js";
import type { Reader, ReadOptions } from "../reads/reader.js";
import { GATEWAY } from "../scheduler/requester.js";

/** An account can be switched on the exchange's own pages, without our seeing it: what we know grows old. */
const KNOWN_FOR_MS = 600_000;

/** For whom it is read, and who called that. Default: the gateway itself. */
type Asking = Pick<ReadOptions, "trace" | "requester">;

interface Known {
  readonly mode: AccountMode;
  readonly at: number;
}

/** Finds out once per account its mode, and remembers. */
export class AccountModes {
  readonly #known = new Map<string, Known>();

  constructor(
    private readonly reader: Reader,
    private readonly clock: Clock,
  ) {}

  /** Asks for the unified settings: a Classic account is refused with the code that says so. */
  async of(account: ExchangeAccount, by: Asking = {}): Promise<AccountMode> {
    const known = this.#known.get(account.name);
    if (known !== undefined && this.#isCurrent(account, known)) {
      by.trace?.dependOn({
        holds: () => this.#isCurrent(account, known),
        isDropped: () => this.#known.get(account.name) !== known,
      });
      return known.mode;
    }
    const mode = await this.#ask(account, by);
    this.#known.set(account.name, { mode, at: this.clock.now() });
    return mode;
  }

  #isCurrent(account: ExchangeAccount, known: Known): boolean {
    return this.#known.get(account.name) === known && this.clock.now() - known.at < KNOWN_FOR_MS;
  }

  /** What has been found out so far. No upstream call. */
  known(account: ExchangeAccount): AccountMode | undefined {
    return this.#known.get(account.name)?.mode;
  }

  /** The same, if it will be taken for known for so many milliseconds. */
  knownFor(account: ExchangeAccount, forMs: number): AccountMode | undefined {
    const known = this.#known.get(account.name);
    return known !== undefined && this.clock.now() + forMs - known.at < KNOWN_FOR_MS ? known.mode : undefined;
  }

  /** The account has changed its mode, or an answer says that we are wrong about it. */
  forget(account: Pick<ExchangeAccount, "name">): void {
    this.#known.delete(account.name);
  }

  async #ask(account: ExchangeAccount, { trace, requester = GATEWAY }: Asking): Promise<AccountMode> {
    try {
      await this.reader.read(this.reader.prepare(accountSettings, {}, account), { trace, requester });
      return "UNIFIED";
    } catch (error) {
      if (error instanceof Fault && error.code === "ACCOUNT_MODE_MISMATCH" && !isChanging(error)) return "CLASSIC";
      throw error;
    }
  }
}

/** While an account changes its mode, a refusal does not show which one it has. */
const isChanging = ({ extensions }: Fault): boolean => extensions.exchange?.code === REFUSAL.accountChanging.code;
