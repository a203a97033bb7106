import { type DecimalText, type Exact, exact, plain, truncated } from "@exchange-graph/contract/decimal";
import type { ExchangeClock } from "../../exchange/exchangeClock.js";
import type { ArgumentViolation } from "../../fault.js";
import { Fault } from "../../fault.js";
import type { OrderCounter, OrderRateStore } from "../../ports/orderRateStore.js";
import { addressOf } from "../journal/entry.js";
import { type DayFigures, type DayLimitBroken, REMEMBERED_MS, type WriteJournal } from "../journal/writeJournal.js";
import { type Exposure, type MarketView, type Priced, priced } from "./exposure.js";
import { dayLimitsOf, dayOf, exactly, type SharedFigures } from "./sharedFigures.js";
import { type AmountLimit, type AppliedLimits, boundsMoney, type LimitBook, limitsFor } from "./tradingLimits.js";
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
  /** The account's open orders and positions, no older than `since` by the exchange's clock. */
  openRisk(since: number): Promise<OpenRisk>;
}

/** The key of a reserved charge. */
export interface Reserved {
  readonly key: string;
  readonly clientOid: string | undefined;
}

/** Kind of an exceeded limit, for counting. */
type BreachKind = "category" | "symbol" | "price" | "rate" | "order" | "open" | "day";
interface Breach extends ArgumentViolation {
  readonly kind: BreachKind;
  readonly retryable: boolean;
}

/** A snapshot of open orders and positions serves all writes for this long; before a refusal a new one is read. */
const PICTURE_MS = 2_000;
const SHOWN_DECIMALS = 8;

/** Checks writes against the limits before they are sent, and counts their use. */
export class LimitGate {
  #restoring: Promise<void> | undefined;
  readonly #breaches = new Map<BreachKind, number>();

  constructor(
    private book: LimitBook,
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

  /** Replaces the limits from the next write on. Earlier use counts if any limit applied to it. */
  replace(book: LimitBook): void {
    this.book = book;
  }

  /** Whether there are no limits. */
  get isOpen(): boolean {
    return this.book.accounts.size === 0 && this.book.clients.size === 0;
  }

  /**
   * Throws `LIMIT_EXCEEDED` with every limit that the write would exceed. With `reserve` its use counts from now on; the check
   * and the reservation are synchronous, so two writes never use the same room.
   */
  async pass(write: LimitedWrite, reserve?: Reserved): Promise<void> {
    const { user, account, client, exposure, market } = write;
    if (this.isOpen) return;
    const applied = limitsFor(this.book, { user, account, client });
    if (applied.length === 0) return;
    await this.#restored();
    const figures = await priced(exposure, market);
    if (boundsMoney(applied) && figures.added.value === null)
      throw new Fault("EXCHANGE_UNAVAILABLE", "limits in money cannot be checked without a price; nothing was sent");
    const began = this.exchangeClock.now();
    let risk = applied.some(({ limits }) => limits.open !== undefined) ? await write.openRisk(began - PICTURE_MS) : undefined;
    const shared = await this.shared?.dayFigures(this.#day, applied);
    let broken = this.#broken(write, figures, applied, risk, shared);
    if (risk !== undefined && risk.askedAt < began && broken.some(({ kind }) => kind === "open")) {
      risk = await write.openRisk(began);
      broken = this.#broken(write, figures, applied, risk, shared);
    }
    const counters = countersOf(applied);
    if (broken.length > 0 || reserve === undefined) {
      const tooOften = rateBreaches(applied, counters.length === 0 ? [] : await this.rates.full(counters));
      if (broken.length + tooOften.length > 0) throw this.#refusal([...tooOften, ...broken]);
      return;
    }
    this.#count(write, figures, applied, reserve);
    const tooOften = rateBreaches(applied, counters.length === 0 ? [] : await this.rates.count(counters));
    if (tooOften.length === 0) return;
    this.usage.release(addressOf(user, reserve.key));
    throw this.#refusal(tooOften);
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

  #count(
    { user, client, exposure }: LimitedWrite,
    { added }: Priced,
    applied: readonly AppliedLimits[],
    { key, clientOid }: Reserved,
  ): void {
    const { coin, stays, changes } = exposure;
    this.usage.prune(this.exchangeClock.beyondDoubt());
    this.usage.hold(addressOf(user, key), {
      user,
      client,
      coin: (coin ?? "").toUpperCase(),
      added,
      stays,
      isNew: changes === undefined && exposure.market !== null,
      clientOid: changes === undefined ? clientOid : undefined,
      at: this.exchangeClock.now(),
      dayLimits: this.shared === undefined ? [] : dayLimitsOf(exposure, applied),
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
    write: LimitedWrite,
    figures: Priced,
    applied: readonly AppliedLimits[],
    risk: OpenRisk | undefined,
    shared: DayFigures | undefined,
  ): readonly Breach[] {
    return applied.flatMap((one) => [
      ...notAllowed(write.exposure, one),
      ...offPrice(figures, one),
      ...this.#tooMuch(write, figures, one, risk, shared),
    ]);
  }

  #tooMuch(
    { user, exposure }: LimitedWrite,
    { whole, added }: Priced,
    applied: AppliedLimits,
    risk: OpenRisk | undefined,
    shared: DayFigures | undefined,
  ): readonly Breach[] {
    const { limits, path } = applied;
    const coin = (exposure.coin ?? "").toUpperCase();
    const against = (
      kind: "order" | "open" | "day",
      limit: AmountLimit | undefined,
      used: Used,
      adds: Priced["whole"],
    ): Breach[] => {
      if (limit === undefined) return [];
      const most = limit.coins.get(coin);
      return [
        ...beyond({ kind, most, unit: coin, used: used.qty, adds: adds.qty, path: `${path}.${kind}.coins.${coin}` }),
        ...beyond({
          kind,
          most: limit.value,
          unit: "USDT",
          used: used.value,
          adds: adds.value ?? ZERO,
          path: `${path}.${kind}.value`,
        }),
      ].map((rule) => ({ kind, argument: exposure.field, rule, retryable: false }));
    };
    return [
      ...against("order", limits.order, { qty: ZERO, value: ZERO }, whole),
      ...(risk === undefined ? [] : against("open", limits.open, this.usage.open(applied, user, coin, risk), added)),
      ...against("day", limits.day, exactly(shared?.(applied, coin)) ?? this.usage.since(this.#day, applied, coin), added),
    ];
  }
}

/** Counters for limits of orders per second. */
const countersOf = (applied: readonly AppliedLimits[]): readonly OrderCounter[] =>
  applied.flatMap((one) =>
    one.limits.ordersPerSecond === undefined ? [] : [{ name: counterOf(one), most: one.limits.ordersPerSecond }],
  );

const counterOf = ({ kind, whose }: AppliedLimits): string => `${kind} ${whose}`;

const rateBreaches = (applied: readonly AppliedLimits[], full: readonly string[]): readonly Breach[] =>
  applied
    .filter((one) => full.includes(counterOf(one)))
    .map(({ path, limits: { ordersPerSecond } }) => ({
      kind: "rate",
      argument: "account",
      rule: `must wait: at most ${ordersPerSecond} orders a second are allowed (${path}.ordersPerSecond)`,
      retryable: true,
    }));

const ZERO = exact("0");

interface Used {
  readonly qty: Exact;
  readonly value: Exact;
}

const SPAN = { order: "in one order", open: "open", day: "on one day (UTC)" } as const;

/** A change that does not increase an order adds nothing, so it passes at any use. */
function beyond({
  kind,
  most,
  unit,
  used,
  adds,
  path,
}: {
  readonly kind: keyof typeof SPAN;
  readonly most: DecimalText | undefined;
  readonly unit: string;
  readonly used: Exact;
  readonly adds: Exact;
  readonly path: string;
}): readonly string[] {
  if (most === undefined || adds.eq("0") || used.plus(adds).lte(exact(most))) return [];
  const figures = kind === "order" ? `this is ${shown(adds)}` : `${shown(used)} are used, and this adds ${shown(adds)}`;
  return [`must keep within ${most} ${unit} ${SPAN[kind]} (${path}): ${figures}`];
}

const shown = (value: Exact): string => plain(truncated(value, SHOWN_DECIMALS));

function notAllowed({ market }: Exposure, { path, limits: { categories, symbols } }: AppliedLimits): readonly Breach[] {
  if (market === null) return [];
  const { category, symbol } = market;
  const breaches: Breach[] = [];
  const broken = (kind: "category" | "symbol", allowed: readonly string[], at: string): void => {
    const names = allowed.length === 0 ? "none is allowed" : `must be one of ${allowed.slice(0, MAX_NAMED).join(", ")}`;
    breaches.push({
      kind,
      argument: kind,
      rule: `${names}${allowed.length > MAX_NAMED ? ", …" : ""} (${path}.${at})`,
      retryable: false,
    });
  };
  if (categories !== undefined && !categories.has(category)) broken("category", [...categories], "categories");
  if (symbols !== undefined && !symbols.has(symbol.toUpperCase())) broken("symbol", [...symbols], "symbols");
  return breaches;
}
const MAX_NAMED = 10;

/**
 * A limit price too far from the market, in either direction; for a trigger order, from its trigger price. A change that keeps
 * the price and adds nothing is not checked.
 */
function offPrice(
  { exposure, price, lastPrice, added }: Priced,
  { path, limits: { priceBand } }: AppliedLimits,
): readonly Breach[] {
  if (priceBand === undefined || price === undefined || price.eq("0")) return [];
  if (exposure.price === undefined && added.qty.eq("0")) return [];
  const { trigger } = exposure;
  const middle = trigger === undefined ? lastPrice : exact(trigger);
  if (middle === null)
    throw new Fault("EXCHANGE_UNAVAILABLE", "the price band cannot be checked without a price; nothing was sent");
  const distance = exact(priceBand).times(middle);
  const [lowest, highest] = [middle.minus(distance), middle.plus(distance)];
  if (price.gte(lowest) && price.lte(highest)) return [];
  const from = `the ${trigger === undefined ? "last" : "trigger"} price ${plain(middle)}`;
  const percent = plain(exact(priceBand).times("100"));
  const rule = `must be within ${percent} % of ${from}, from ${shown(lowest)} to ${shown(highest)} (${path}.priceBand)`;
  return [{ kind: "price", argument: "price", rule, retryable: false }];
}
