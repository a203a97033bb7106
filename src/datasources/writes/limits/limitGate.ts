import { exact } from "@exchange-graph/contract/decimal";
import type { ExchangeClock } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import { addressOf } from "../journal/entry.js";
import { type DayFigures, type DayLimitBroken, REMEMBERED_MS, type WriteJournal } from "../journal/writeJournal.js";
import { type Breach, type BreachKind, beyond, countersOf, notAllowed, offPrice, rateBreaches, tooMuch } from "./breaches.js";
import { type Amount, type Exposure, type MarketView, NOTHING, type Priced, priced } from "./exposure.js";
import type { LimitsInForce } from "./limitsInForce.js";
import type { OrderRateStore } from "./orderRateStore.js";
import { dayLimitsOf, dayOf, exactly, type SharedFigures } from "./sharedFigures.js";
import { type AppliedLimits, boundsMoney } from "./tradingLimits.js";
import type { OpenRisk, Usage } from "./usage.js";

/** A write that is checked against limits. */
interface LimitedWrite {
  /** The exchange's user, by which figures are kept. */
  readonly user: string;
  /** The account's name, by which limits are configured. */
  readonly account: string;
  /** The client's principal. */
  readonly client: string;
  readonly exposure: Exposure;
  readonly market: MarketView;
  /** The account's open orders and positions, no older than `since` by the exchange's clock, and its trigger orders. */
  openRisk(since: number, plansSince: number): Promise<OpenRisk>;
}

/** The key of a reserved charge. */
export interface Reserved {
  readonly key: string;
  readonly clientOid: string | undefined;
  /** Whether it was checked before: it counts for the orders of a second already. */
  readonly isAgain: boolean;
}

/** The numbers of a write, and what they count for. */
interface Counted extends Priced {
  /** The client that its order belongs to. */
  readonly owner: string;
  /** Addition to the day, of its account and its client. */
  readonly today: Amount;
  /** Addition to what is open of the client that the order belongs to. */
  readonly ofClient: Amount;
}

/** A snapshot of open orders and positions serves all writes for this long; before a refusal a new one is read. */
const PICTURE_MS = 2_000;
/** That of the trigger orders, which are up to thirty lists. What is placed here counts from before it is sent. */
const PLANS_PICTURE_MS = 30_000;

const UNUSED = { qty: exact("0"), value: exact("0") };

/** Checks writes against the limits before they are sent, and counts their use. */
export class LimitGate {
  #restoring: Promise<void> | undefined;
  readonly #breaches = new Map<BreachKind, number>();

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
   * Throws `LIMIT_EXCEEDED` with every limit that the write would exceed. With `reserve` its use counts from now on; the check
   * and the reservation are synchronous, so two writes never use the same room.
   */
  async pass(write: LimitedWrite, reserve?: Reserved): Promise<void> {
    const { user, account, client, exposure, market } = write;
    if (!this.inForce.hasAccounts && !this.inForce.hasClients) return;
    await this.inForce.ready();
    const applied = this.inForce.of({ user, account, client });
    if (applied.length === 0) {
      if (reserve !== undefined) this.#link(write, reserve);
      return;
    }
    await this.#restored();
    const figures = this.#countedFor(write, await priced(exposure, market));
    if (boundsMoney(applied) && figures.added.value === null)
      throw new Fault("EXCHANGE_UNAVAILABLE", "limits in money cannot be checked without a price; nothing was sent");
    const began = this.exchangeClock.now();
    const onOpen = this.#onOpen(write, applied, figures.owner);
    let risk = onOpen.some(({ limits }) => limits.open !== undefined)
      ? await write.openRisk(began - PICTURE_MS, began - PLANS_PICTURE_MS)
      : undefined;
    const shared = await this.shared?.dayFigures(this.#day, applied);
    const check = () => [...this.#broken(write, figures, applied, shared), ...this.#openBroken(write, figures, onOpen, risk)];
    let broken = check();
    const isOld = risk !== undefined && (risk.askedAt < began || risk.plansAskedAt < began);
    if (isOld && broken.some(({ kind }) => kind === "open")) {
      risk = await write.openRisk(began, began);
      broken = check();
    }
    const counters = countersOf(applied);
    if (broken.length > 0 || reserve === undefined) {
      const tooOften = rateBreaches(applied, counters.length === 0 ? [] : await this.rates.full(counters));
      if (broken.length + tooOften.length > 0) throw this.#refusal([...tooOften, ...broken]);
      return;
    }
    this.#count(write, figures, applied, reserve);
    const tooOften = rateBreaches(applied, counters.length === 0 || reserve.isAgain ? [] : await this.rates.count(counters));
    if (tooOften.length === 0) return;
    this.usage.release(addressOf(user, reserve.key));
    throw this.#refusal(tooOften);
  }

  /**
   * What a write counts for the client's day and for what is open. A change of an order adds what it adds to it: but a new order in
   * the place of one that the day has not counted for this client counts as a whole, and so does the change of an order that
   * belongs to no client, which is this client's from then on.
   */
  #countedFor({ user, client }: LimitedWrite, figures: Priced): Counted {
    const { changed, anew, added } = figures;
    const former = changed && this.usage.placed(user, changed);
    const isCharged = former?.charged?.client === client && former.charged.day >= this.#day;
    return {
      ...figures,
      owner: former?.owner ?? client,
      today: changed?.isReplaced === true && !isCharged ? anew : added,
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

  /** Keeps a replacement that nothing limits with the uses of limits: the new order may belong to a client with limits. */
  #link({ user, client, exposure: { coin, stays, changes } }: LimitedWrite, { key, clientOid }: Reserved): void {
    if (changes?.isReplaced !== true || !this.inForce.hasClients) return;
    const charge = {
      user,
      client,
      owner: client,
      coin: (coin ?? "").toUpperCase(),
      added: NOTHING,
      stays,
      isNew: false,
      waits: false,
    };
    this.usage.hold(addressOf(user, key), { ...charge, clientOid, changed: undefined, at: this.exchangeClock.now() });
  }

  #count(
    { user, client, exposure }: LimitedWrite,
    { today, owner, changed }: Counted,
    applied: readonly AppliedLimits[],
    { key, clientOid }: Reserved,
  ): void {
    const { coin, stays, waits = false } = exposure;
    const isNew = exposure.market !== null && (changed === undefined || changed.isReplaced);
    this.usage.prune(this.exchangeClock.beyondDoubt());
    this.usage.hold(addressOf(user, key), {
      user,
      client,
      owner,
      coin: (coin ?? "").toUpperCase(),
      added: today,
      stays,
      isNew,
      waits,
      clientOid: isNew ? clientOid : undefined,
      changed,
      at: this.exchangeClock.now(),
      dayLimits: this.shared === undefined ? [] : dayLimitsOf(exposure, applied, this.#day),
    });
  }

  /** The error for a write that another process has left no room for since it was checked. */
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
    shared: DayFigures | undefined,
  ): readonly Breach[] {
    const coin = (exposure.coin ?? "").toUpperCase();
    return applied.flatMap((one) => [
      ...notAllowed(exposure, one),
      ...offPrice(figures, one),
      ...tooMuch(exposure, one, "order", UNUSED, figures.whole),
      ...tooMuch(exposure, one, "day", exactly(shared?.(one, coin)) ?? this.usage.since(this.#day, one, coin), figures.today),
    ]);
  }

  #openBroken(
    { user, exposure }: LimitedWrite,
    { added, ofClient }: Counted,
    limits: readonly AppliedLimits[],
    risk: OpenRisk | undefined,
  ): readonly Breach[] {
    if (risk === undefined) return [];
    const coin = (exposure.coin ?? "").toUpperCase();
    return limits.flatMap((one) =>
      tooMuch(exposure, one, "open", this.usage.open(one, user, coin, risk), one.kind === "client" ? ofClient : added),
    );
  }
}
