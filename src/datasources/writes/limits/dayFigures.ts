import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { Fault } from "../../errors/index.js";
import type { CoinAmount } from "./exposure.js";
import { dayOf } from "./sharedFigures.js";
import type { AppliedLimits } from "./tradingLimits.js";

/** Use of one user or client on one day. */
interface Figures {
  value: Exact;
  readonly coins: Map<string, Exact>;
}

/** Maximum number of users and clients with figures of a day. */
const MAX_FIGURES = 100_000;
/** Maximum number of days with figures. A clock that was wrong may have spread one day over several. */
const MAX_DAYS = 10;
const ZERO = exact("0");

const figureOf = (kind: AppliedLimits["kind"], whose: string): string => `${kind}\n${whose}`;

/** What users and clients have used of their limits of a day. */
export class DayFigures {
  /** By day, then by user or client. */
  readonly #days = new Map<number, Map<string, Figures>>();

  /** Adds an amount of a coin to the figures of its user and its client on the day of `at`, Unix ms; a negative one is taken off. */
  add(
    of: { readonly user: string; readonly client: string; readonly coin: string; readonly at: number },
    amount: CoinAmount,
  ): void {
    const day = this.#dayOf(of.at);
    const use = { value: amount.value ?? ZERO, coins: new Map([[of.coin, amount.qty]]) };
    for (const figure of [figureOf("account", of.user), figureOf("client", of.client)]) add(day, figure, use);
  }

  /** The use of a user's placeholder counts as the user's own. */
  rename(placeholder: string, user: string): void {
    for (const day of this.#days.values()) {
      const figures = day.get(figureOf("account", placeholder));
      if (figures === undefined) continue;
      day.delete(figureOf("account", placeholder));
      add(day, figureOf("account", user), figures);
    }
  }

  /** Use on this day and on later ones: what seems to come from the future was used while the exchange's clock was ahead. */
  since(day: number, kind: AppliedLimits["kind"], whose: string, coin: string): { qty: Exact; value: Exact } {
    let [qty, value] = [ZERO, ZERO];
    for (const [of, figures] of this.#days) {
      const used = of < day ? undefined : figures.get(figureOf(kind, whose));
      if (used === undefined) continue;
      qty = qty.plus(used.coins.get(coin) ?? ZERO);
      value = value.plus(used.value);
    }
    return { qty, value };
  }

  /** The figures of a day. A clock that was wrong may return to an earlier one, so some are kept. */
  #dayOf(at: number): Map<string, Figures> {
    const day = dayOf(at);
    const existing = this.#days.get(day);
    if (existing !== undefined) return existing;
    const figures = new Map<string, Figures>();
    this.#days.set(day, figures);
    const days = [...this.#days.keys()].sort((one, other) => one - other);
    for (const old of days.slice(0, Math.max(0, days.length - MAX_DAYS))) this.#days.delete(old);
    return figures;
  }
}

function add(day: Map<string, Figures>, figure: string, { value, coins }: Figures): void {
  const existing = day.get(figure);
  if (existing === undefined && day.size >= MAX_FIGURES)
    throw new Fault(
      "RATE_LIMITED",
      "more users and clients have traded today than limits of a day can be tracked for; nothing was sent",
    );
  const figures = existing ?? { value: ZERO, coins: new Map<string, Exact>() };
  day.set(figure, figures);
  for (const [coin, qty] of coins) figures.coins.set(coin, (figures.coins.get(coin) ?? ZERO).plus(qty));
  figures.value = figures.value.plus(value);
}
