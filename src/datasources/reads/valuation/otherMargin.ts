import { type Exact, exact, isZero } from "@exchange-graph/contract/decimal";
import type { Order } from "@exchange-graph/contract/order";
import type { AccountFacts } from "./accountFacts.js";
import type { MarginRules, Prices } from "./marginRules.js";
import { type Charges, inUsd, possibleCharges } from "./orderCharges.js";
import { written, ZERO } from "./positionFigures.js";
import { marginRatioOf, type OtherMargin, type UnifiedSums } from "./unifiedAccount.js";

/** Decimals of the maintenance rate of debts. */
const RATE_PLACES = 6;
/** Decimals of an amount of margin. */
const PLACES = 8;
const ROUND_HALF_UP = 1;
/** The latest samples that an amount is compared with: an account's orders may take a margin that no rule here explains. */
const MAX_SAMPLES = 50;

type Unified = NonNullable<AccountFacts["unified"]>;
type ReportedMargin = Pick<Unified, "initialMarginUsd" | "maintenanceMarginUsd" | "marginRatio">;

/** A possible charge in one coin, and the prices at which it was found. */
interface Sample {
  readonly amount: Exact;
  readonly at: string;
}

/**
 * What a unified account's orders and debts take as margin, found from the exchange's own figures at known prices. Charges that
 * follow from the orders are accepted if they reproduce its initial margin. Where none does, and one coin is concerned, the
 * difference is accepted once it is the same at other prices.
 */
export class OtherMarginSearch {
  readonly #possible: readonly Charges[];
  readonly #coins: ReadonlySet<string>;
  readonly #samples: Sample[] = [];

  constructor({ orders, positions, unified }: AccountFacts, rules: MarginRules, before?: OtherMarginSearch) {
    const debts = (unified?.assets ?? []).flatMap(({ coin, debt }) =>
      debt === null || isZero(debt) ? [] : [{ coin, amount: exact(debt) }],
    );
    this.#possible = possibleCharges({ orders, positions, debts }, rules);
    this.#coins = new Set([...debts.map(({ coin }) => coin), ...orders.flatMap((order) => coinOf(order, rules) ?? [])]);
    if (before !== undefined) this.#samples.push(...before.#samples);
  }

  /**
   * `sums`: the account's sums at these prices, without this margin. Undefined if the figures at these prices differ from the
   * exchange's.
   */
  find(sums: UnifiedSums, reported: ReportedMargin, prices: Prices): OtherMargin | undefined {
    const debtRate = rateOfDebts(sums, reported);
    if (debtRate === undefined || reported.initialMarginUsd === null) return undefined;
    const initial = reported.initialMarginUsd;
    const gives = (charges: Charges): boolean => {
      const amount = inUsd(charges, prices);
      return amount !== undefined && written(sums.initial.plus(amount)) === initial;
    };
    const charges = [NO_CHARGES, ...this.#possible].find(gives) ?? this.#fitted(sums, initial, prices, gives);
    return charges && { charges, debtRate };
  }

  #fitted(sums: UnifiedSums, initial: string, prices: Prices, gives: (charges: Charges) => boolean): Charges | undefined {
    const [coin, ...others] = this.#coins;
    const price = coin === undefined || others.length > 0 ? undefined : prices.coin(coin);
    if (coin === undefined || price === undefined) return undefined;
    const amount = exact(initial).minus(sums.initial).div(price).round(PLACES, ROUND_HALF_UP);
    const charges: Charges = [{ coin, amount, leverage: exact("1") }];
    if (amount.lte(ZERO) || !gives(charges)) return undefined;
    const at = `${written(sums.initial)} ${price.toFixed()}`;
    const isConfirmed = this.#samples.some((sample) => sample.at !== at && sample.amount.eq(amount));
    if (!this.#samples.some((sample) => sample.at === at)) this.#samples.push({ amount, at });
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
    return isConfirmed ? charges : undefined;
  }
}

const NO_CHARGES: Charges = [];

/** The maintenance rate of debts in the exchange's maintenance margin; zero without debts. */
function rateOfDebts({ maintenance, debt, effective }: UnifiedSums, reported: ReportedMargin): Exact | undefined {
  if (reported.maintenanceMarginUsd === null) return undefined;
  const over = exact(reported.maintenanceMarginUsd).minus(maintenance);
  const rate = debt.eq(ZERO) ? ZERO : over.div(debt).round(RATE_PLACES, ROUND_HALF_UP);
  const whole = maintenance.plus(debt.times(rate));
  const isGiven = written(whole) === reported.maintenanceMarginUsd && marginRatioOf(whole, effective) === reported.marginRatio;
  return isGiven && rate.gte(ZERO) ? rate : undefined;
}

const coinOf = ({ category, symbol }: Order, rules: MarginRules): string | undefined =>
  rules.contract(category, symbol)?.marginCoin;
