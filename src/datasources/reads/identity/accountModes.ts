import { accountSettings } from "@exchange-graph/contract/account";
import type { Clock } from "@exchange-graph/contract/clock";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { type AccountMode, type ExchangeAccount, GATEWAY } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import type { Reader, ReadOptions } from "../reader/reader.js";

/** An account's mode can be changed on the exchange's own pages, so it is read again after this time. */
const CACHED_FOR_MS = 600_000;

/** Trace and requester of the read. Default: the gateway itself. */
type ReadBy = Pick<ReadOptions, "trace" | "requester">;

interface CachedMode {
  readonly mode: AccountMode;
  readonly at: number;
}

/** Reads and caches the mode of each account. */
export class AccountModes {
  readonly #modes = new Map<string, CachedMode>();
  /** The last known state of each account's upgrade. */
  readonly #upgrades = new Map<string, string | null>();

  constructor(
    private readonly reader: Reader,
    private readonly clock: Clock,
    /** Called after the unified settings of an account were read, which name its user. */
    private readonly settingsRead: (account: ExchangeAccount) => void,
  ) {}

  /** Reads the unified settings; for a Classic account they are refused with a specific code. */
  async of(account: ExchangeAccount, by: ReadBy = {}): Promise<AccountMode> {
    const cached = this.#modes.get(account.name);
    if (cached !== undefined && this.#isCurrent(account, cached)) {
      by.trace?.dependOn({
        holds: () => this.#isCurrent(account, cached),
        isDropped: () => this.#modes.get(account.name) !== cached,
      });
      return cached.mode;
    }
    const { credentials } = account;
    const mode = await this.#ask(account, by);
    // The key has been replaced meanwhile: it may be another user's.
    if (account.credentials === credentials) {
      this.#modes.set(account.name, { mode, at: this.clock.now() });
      if (mode === "UNIFIED") this.settingsRead(account);
    }
    return mode;
  }

  #isCurrent(account: ExchangeAccount, cached: CachedMode): boolean {
    return this.#modes.get(account.name) === cached && this.clock.now() - cached.at < CACHED_FOR_MS;
  }

  /** The cached mode. No upstream call. */
  cachedMode(account: ExchangeAccount): AccountMode | undefined {
    return this.#modes.get(account.name)?.mode;
  }

  /** The cached mode, if it stays valid for this many milliseconds. */
  cachedModeFor(account: ExchangeAccount, forMs: number): AccountMode | undefined {
    const cached = this.#modes.get(account.name);
    return cached !== undefined && this.clock.now() + forMs - cached.at < CACHED_FOR_MS ? cached.mode : undefined;
  }

  /**
   * Whether the account's mode may have changed: while an upgrade is under way, and once when it has ended. Then the cached mode is
   * dropped.
   */
  hasMoved(account: Pick<ExchangeAccount, "name">, upgrade: string | null): boolean {
    const hasMoved = upgrade === "process" || (this.#upgrades.get(account.name) ?? upgrade) !== upgrade;
    const isLate = upgrade === "success" && this.#modes.get(account.name)?.mode === "CLASSIC";
    this.#upgrades.set(account.name, upgrade);
    if (hasMoved || isLate) this.forget(account);
    return hasMoved || isLate;
  }

  /** Drops the cached mode: the account has changed its mode, or an answer contradicts it. */
  forget(account: Pick<ExchangeAccount, "name">): void {
    this.#modes.delete(account.name);
  }

  async #ask(account: ExchangeAccount, { trace, requester = GATEWAY }: ReadBy): Promise<AccountMode> {
    try {
      await this.reader.read(this.reader.prepare(accountSettings, {}, account), { trace, requester });
      return "UNIFIED";
    } catch (error) {
      if (error instanceof Fault && error.code === "ACCOUNT_MODE_MISMATCH" && !isChanging(error)) return "CLASSIC";
      throw error;
    }
  }
}

/** While an account changes its mode, a refusal does not show which mode it has. */
const isChanging = ({ extensions }: Fault): boolean => extensions.exchange?.code === REFUSAL.accountChanging.code;
