import { exact } from "@exchange-graph/contract/decimal";
import type { ExchangeClock } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import { BatchRefused } from "../batchAssembly.js";
import { addressOf } from "../journal/journalEntry.js";
import { type DayLimitBroken, REMEMBERED_MS, type WriteJournal } from "../journal/writeJournal.js";
import {
  BREACH_KINDS,
  type Breach,
  type BreachKind,
  beyond,
  countersOf,
  notAllowed,
  offPrice,
  rateBreaches,
  tooMuch,
  type Used,
} from "./breaches.js";
import { type CoinAmount, type Exposure, type MarketView, NOTHING, type Priced, priced } from "./exposure.js";
import type { LimitsInForce } from "./limitsInForce.js";
import type { OrderRateStore } from "./orderRates.js";
import { coinOf, dayLimitsOf, dayOf, type SharedFigures, withAhead } from "./sharedFigures.js";
import { type AppliedLimits, boundsMoney } from "./tradingLimits.js";
import type { OpenRisk, Usage } from "./usage.js";

/** Writes that are checked against limits together. */
interface LimitedWrites {
  /** The exchange's user, by which figures are kept. */
  readonly user: string;
  /** The account's name, by which limits are configured. */
  readonly account: string;
  /** The client's principal. */
  readonly client: string;
  /** Undefined for writes that are exempt. */
  readonly charged: readonly (Charged | undefined)[];
  readonly market: MarketView;
  /** The account's open orders and positions, no older than `since` by the exchange's clock, and its trigger orders. */
  openRisk(since: number, plansSince: number): Promise<OpenRisk>;
}

/** A write's addition to the risk, and the key of its charge. */
export interface Charged {
  readonly exposure: Exposure;
  readonly key: string;
  readonly clientOid: string | undefined;
}

export interface LimitTerms {
  /** Whether their use counts from now on. */
  readonly reserve: boolean;
  /** Whether they were checked before: then they already count against the limit of orders per second. */
  readonly isAgain: boolean;
}

interface LimitedWrite extends Omit<LimitedWrites, "charged">, Charged {}

/** The numbers of a write, and the figures that they count against. */
interface Counted extends Priced {
  /** The client that its order belongs to. */
  readonly owner: string;
  /** Addition to the day, of its account and its client. */
  readonly today: CoinAmount;
  /** Addition to what is open of the client that the order belongs to. */
  readonly ofClient: CoinAmount;
}

/** A snapshot of open orders and positions serves all writes for this long; before a refusal a new one is read. */
const SNAPSHOT_MS = 2_000;
/** The same for the trigger orders, which take up to thirty lists. Orders of this gateway count from before they are sent. */
const PLANS_SNAPSHOT_MS = 30_000;

const UNUSED = { qty: exact("0"), value: exact("0") };

/** Checks writes against the limits before they are sent, and counts their use. */
export class LimitGate {
  #restoring: Promise<void> | undefined;
  readonly #breaches = new Map<BreachKind, number>(BREACH_KINDS.map((kind) => [kind, 0]));

  constructor(
    /** The limits, which can be replaced. A write that has passed others since is checked again before it is sent. */
    readonly inForce: LimitsInForce,
    private readonly usage: Usage,
    /** Counts orders of the last second. */
    private readonly rates: OrderRateStore,
    private readonly exchangeClock: ExchangeClock,
    private readonly journal: Pick<WriteJournal, "charged">,
    /** Use by all processes that share the journal; undefined if it is not shared. */
    private readonly shared?: SharedFigures,
  ) {}

  /** Number of refused writes by kind of limit. */
  get breaches(): ReadonlyMap<string, number> {
    return this.#breaches;
  }

  /** Whether any limit applies to writes of this client to this account. */
  applyTo(whose: Pick<LimitedWrite, "user" | "account" | "client">): boolean {
    return this.inForce.of(whose).length > 0;
  }

  /**
   * Throws `BatchRefused` with every limit that each of the writes would exceed, counted after those before it. With `reserve` their
   * use counts from now on. Check and reservation are synchronous, so two writes never use the same part of a limit.
   */
  async pass({ charged, ...common }: LimitedWrites, { reserve, isAgain }: LimitTerms): Promise<void> {
    const { user, account, client, market } = common;
    if (!this.inForce.hasAccounts && !this.inForce.hasClients) return;
    await this.inForce.ready();
    const applied = this.inForce.of({ user, account, client });
    const writes = charged.map((one) => (one === undefined ? undefined : { ...common, ...one }));
    if (applied.length === 0) {
      if (reserve) for (const write of writes) if (write !== undefined) this.#link(write);
      return;
    }
    await this.#restored();
    const counted = await Promise.all(
      writes.map(async (write) => {
        if (write === undefined) return undefined;
        const figures = this.#countedFor(write, await priced(write.exposure, market));
        if (boundsMoney(applied) && figures.added.value === null)
          throw new Fault("EXCHANGE_UNAVAILABLE", "limits in money cannot be checked without a price; nothing was sent");
        return { write, figures, onOpen: this.#onOpen(write, applied, figures.owner) };
      }),
    );
    const began = this.exchangeClock.now();
    let risk = counted.some((one) => one?.onOpen.some(({ limits }) => limits.open !== undefined))
      ? await common.openRisk(began - SNAPSHOT_MS, began - PLANS_SNAPSHOT_MS)
      : undefined;
    const shared = await this.shared?.dayFigures(this.#day, applied);
    const release = () => {
      for (const one of counted) if (one !== undefined) this.usage.release(addressOf(user, one.write.key));
    };
    /** Counts those that break no limit, so that the next ones are checked after them. */
    const check = () => {
      const ahead: Counted[] = [];
      return counted.map((one) => {
        if (one === undefined) return [];
        const { write, figures, onOpen } = one;
        const today = shared && ((whose: AppliedLimits, coin: string) => withAhead(shared(whose, coin), coin, ahead));
        const broken = [...this.#broken(write, figures, applied, today), ...this.#openBroken(write, figures, onOpen, risk)];
        if (broken.length > 0) return broken;
        this.#count(write, figures, applied);
        ahead.push(figures);
        return broken;
      });
    };
    let broken = check();
    const isOld = risk !== undefined && (risk.requestedAt < began || risk.plansRequestedAt < began);
    if (isOld && broken.flat().some(({ kind }) => kind === "open")) {
      release();
      risk = await common.openRisk(began, began);
      broken = check();
    }
    const isRefused = broken.some(({ length }) => length > 0);
    if (isRefused || !reserve) release();
    const tooOften = await this.#tooOften(counted, applied, { reserve: reserve && !isRefused, isAgain });
    const refused = broken.map((breaches, at) => [...(tooOften[at] ?? []), ...breaches]);
    if (refused.every(({ length }) => length === 0)) return;
    release();
    throw new BatchRefused(refused.map((breaches) => (breaches.length === 0 ? undefined : this.#refusal(breaches))));
  }

  /** The limits on orders of a second that each of the writes would exceed; with `reserve` they are counted, all or none. */
  async #tooOften(
    writes: readonly unknown[],
    applied: readonly AppliedLimits[],
    { reserve, isAgain }: LimitTerms,
  ): Promise<readonly (readonly Breach[])[]> {
    const counters = countersOf(applied);
    if (counters.length === 0 || (reserve && isAgain)) return [];
    const each = async (full: (before: number) => Promise<readonly string[]>) => {
      const found: (readonly Breach[])[] = [];
      let before = 0;
      for (const write of writes) found.push(write === undefined ? [] : rateBreaches(applied, await full(before), before++));
      return found;
    };
    const leaving = (before: number) => counters.map((one) => ({ ...one, most: Math.max(0, one.most - before) }));
    if (!reserve || writes.length > 1) {
      const found = await each((before) => this.rates.full(leaving(before)));
      if (!reserve || found.some(({ length }) => length > 0)) return found;
    }
    return each(() => this.rates.count(counters));
  }

  /**
   * What a write adds to the day and to the client's open amounts. A changed order adds its increase only. For the day, a replacement
   * counts as a whole: the former order can trade until it is replaced, and the new one anew. So does, for the client, an order that
   * belonged to no client and belongs to this one from now on.
   */
  #countedFor({ user, client }: LimitedWrite, figures: Priced): Counted {
    const { changed, anew, added } = figures;
    const former = changed && this.usage.ownerOf(user, changed);
    return {
      ...figures,
      owner: former ?? client,
      today: changed?.isReplaced === true ? anew : added,
      ofClient: changed !== undefined && former === undefined ? anew : added,
    };
  }

  /** The limits on what is open: those of the account, and those of the client that the order belongs to. */
  #onOpen({ user, account, client }: LimitedWrite, applied: readonly AppliedLimits[], owner: string): readonly AppliedLimits[] {
    if (owner === client) return applied;
    const isOf = (one: AppliedLimits["kind"]) => (limits: AppliedLimits) => limits.kind === one;
    return [...applied.filter(isOf("account")), ...this.inForce.of({ user, account, client: owner }).filter(isOf("client"))];
  }

  /** Loads the use from before this process began. Rejects with `JOURNAL_UNAVAILABLE`; the next write repeats it. */
  #restored(): Promise<void> {
    this.#restoring ??= this.#restore().catch((error: unknown) => {
      this.#restoring = undefined;
      throw error;
    });
    return this.#restoring;
  }

  async #restore(): Promise<void> {
    this.usage.restore(await this.journal.charged(this.exchangeClock.beyondDoubt() - REMEMBERED_MS));
  }

  /** The day whose limits are in force, by the exchange's clock as far as that is certain. */
  get #day(): number {
    return dayOf(this.exchangeClock.beyondDoubt());
  }

  /** Records a replacement that no limit applies to, because the new order may belong to a client with limits. */
  #link(write: LimitedWrite): void {
    if (write.exposure.changes?.isReplaced !== true || !this.inForce.hasClients) return;
    const { client: owner, clientOid } = write;
    this.#hold(write, { owner, clientOid, today: NOTHING, added: NOTHING, isNew: false, waits: false, changed: undefined });
  }

  #count(write: LimitedWrite, { today, added, ofClient, owner, changed }: Counted, applied: readonly AppliedLimits[]): void {
    const { exposure } = write;
    const isNew = exposure.market !== null && (changed === undefined || changed.isReplaced);
    const clientOid = isNew ? write.clientOid : undefined;
    const dayLimits = this.shared === undefined ? [] : dayLimitsOf(exposure, applied, this.#day);
    this.usage.prune(this.exchangeClock.beyondDoubt());
    const waits = exposure.waits ?? false;
    const opened = changed?.isReplaced === true ? ofClient : added;
    this.#hold(write, { owner, clientOid, today, added: opened, isNew, waits, changed, dayLimits });
  }

  #hold(
    { user, client, exposure: { coin, stays }, key }: LimitedWrite,
    charge: Omit<Parameters<Usage["hold"]>[1], "user" | "client" | "coin" | "stays" | "at">,
  ): void {
    const at = this.exchangeClock.now();
    this.usage.hold(addressOf(user, key), { user, client, coin: coinOf({ coin }), stays, at, ...charge });
  }

  /** The error for a write whose limit of the day another process has used since the check. */
  dayBroken({ limit: { unit, most, path, argument }, used, adds }: DayLimitBroken): Fault {
    const [rule = ""] = beyond({ kind: "day", most, unit: unit || "USDT", used: exact(used), adds: exact(adds), path });
    return this.#refusal([{ kind: "day", argument, rule, retryable: false }]);
  }

  #refusal(broken: readonly Breach[]): Fault {
    for (const { kind } of broken) this.#breaches.set(kind, (this.#breaches.get(kind) ?? 0) + 1);
    const violations = broken.map(({ argument, rule }) => ({ argument, rule }));
    const text = violations.map(({ argument, rule }) => `${argument} ${rule}`).join("; ");
    return new Fault("LIMIT_EXCEEDED", text, { violations, retryable: broken.every(({ retryable }) => retryable) });
  }

  #broken(
    { exposure }: LimitedWrite,
    figures: Counted,
    applied: readonly AppliedLimits[],
    today: ((whose: AppliedLimits, coin: string) => Used) | undefined,
  ): readonly Breach[] {
    const coin = coinOf(exposure);
    return applied.flatMap((one) => [
      ...notAllowed(exposure, one),
      ...offPrice(figures, one),
      ...tooMuch(exposure, one, "order", UNUSED, figures.whole),
      ...tooMuch(exposure, one, "day", today?.(one, coin) ?? this.usage.since(this.#day, one, coin), figures.today),
    ]);
  }

  #openBroken(
    { user, exposure }: LimitedWrite,
    { added, ofClient }: Counted,
    limits: readonly AppliedLimits[],
    risk: OpenRisk | undefined,
  ): readonly Breach[] {
    if (risk === undefined) return [];
    const coin = coinOf(exposure);
    return limits.flatMap((one) =>
      tooMuch(exposure, one, "open", this.usage.open(one, user, coin, risk), one.kind === "client" ? ofClient : added),
    );
  }
}
