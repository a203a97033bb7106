import { QUOTE_VALIDITY_MS } from "@exchange-graph/contract/convert";
import { Exact, exact, plain, truncated } from "@exchange-graph/contract/decimal";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { Refused } from "../../refused.js";
import type { BackOffice } from "../backOffice.js";
import { causeOf } from "../cause.js";
import { houseWallet } from "../ledger.js";
import { Register } from "../register.js";

/** Terms of a quotation. Sizes are in their own coins, the price is `toCoin` per `fromCoin`. */
export interface ConversionTerms {
  readonly fromCoin: string;
  readonly fromCoinSize: Exact;
  readonly toCoin: string;
  readonly toCoinSize: Exact;
  readonly price: Exact;
}

/** A quotation for one user and one conversion. */
export interface Quotation extends ConversionTerms {
  readonly traceId: string;
  readonly uid: string;
  /** End of its validity, Unix ms. */
  readonly expiresAt: number;
}

export interface Conversion extends ConversionTerms {
  readonly id: string;
  readonly createdTime: number;
}

/** A requested conversion: one of the two sizes. */
export interface Wish {
  readonly fromCoin: string;
  readonly toCoin: string;
  readonly fromCoinSize?: Exact | undefined;
  readonly toCoinSize?: Exact | undefined;
}

/** Minimum and maximum value of a conversion, in USDT. */
export const LIMITS_IN_USDT = { min: exact("1"), max: exact("500000") } as const;

/** Factor of the market price after the exchange's spread. */
const KEPT = exact("0.999");
const SIZE_PLACES = 8;
const PRICE_PLACES = 16;
const CONVERSIONS_PER_USER = 2_000;
/** Maximum number of valid quotations; the oldest are dropped. */
const QUOTATIONS = 10_000;

/** The convert service: a quotation is valid for eight seconds and is used once. */
export class ConvertService {
  readonly #quotations = new Map<string, Quotation>();
  readonly conversions = new Register<Conversion>(({ id }) => id, CONVERSIONS_PER_USER);

  /** `coins` are those that can be converted. */
  constructor(
    readonly office: BackOffice,
    readonly coins: readonly string[],
  ) {}

  quote(uid: string, wish: Wish): Quotation {
    for (const [name, coin] of [["fromCoin", wish.fromCoin] as const, ["toCoin", wish.toCoin] as const]) {
      if (!this.coins.includes(coin)) throw new Refused(REFUSAL.unknownValue, name);
    }
    if (wish.fromCoin === wish.toCoin) throw new Refused(REFUSAL.quoteFailed);
    const terms = termsOf(wish, this.office.usdtPrice);
    const worth = terms.fromCoinSize.times(this.office.usdtPrice(terms.fromCoin));
    if (worth.lt(LIMITS_IN_USDT.min)) throw new Refused(REFUSAL.convertTooLittle, `${plain(LIMITS_IN_USDT.min)} USDT`);
    if (worth.gt(LIMITS_IN_USDT.max)) throw new Refused(REFUSAL.convertTooMuch, `${plain(LIMITS_IN_USDT.max)} USDT`);
    const traceId = this.office.ids.next();
    const quotation = { ...terms, traceId, uid, expiresAt: this.office.now() + QUOTE_VALIDITY_MS };
    this.#forgetExpired();
    this.#quotations.set(traceId, quotation);
    return quotation;
  }

  /** Converts at a quotation. Refuses one that is unknown, used or expired, and terms that differ from it. */
  trade(uid: string, traceId: string, terms: ConversionTerms): Conversion {
    const quotation = this.#quotations.get(traceId);
    if (quotation?.uid !== uid || this.office.now() >= quotation.expiresAt) throw new Refused(REFUSAL.quoteExpired);
    if (!isSame(quotation, terms)) throw new Refused(REFUSAL.quoteChanged);
    const { fromCoin, fromCoinSize, toCoin, toCoinSize, price } = quotation;
    const { ledger, fundsOf, ids, now } = this.office;
    const house = houseWallet("convert");
    const funds = fundsOf(uid);
    const id = ids.next();
    const cause = causeOf("conversion", id);
    if (ledger.balance(house, toCoin).available.lt(toCoinSize)) throw new Refused(REFUSAL.quoteFailed);
    if (ledger.balance(funds, fromCoin).available.lt(fromCoinSize)) throw new Refused(REFUSAL.insufficientBalance);
    ledger.move(funds, house, fromCoin, fromCoinSize, cause);
    ledger.move(house, funds, toCoin, toCoinSize, cause);
    this.#quotations.delete(traceId);
    const conversion = { id, createdTime: now(), fromCoin, fromCoinSize, toCoin, toCoinSize, price };
    this.conversions.enter(uid, conversion);
    return conversion;
  }

  #forgetExpired(): void {
    const now = this.office.now();
    for (const [traceId, { expiresAt }] of this.#quotations) {
      if (expiresAt > now && this.#quotations.size < QUOTATIONS) return;
      this.#quotations.delete(traceId);
    }
  }
}

/** Both sizes of a conversion at these prices. */
export function termsOf(
  { fromCoin, toCoin, fromCoinSize, toCoinSize }: Wish,
  usdtPrice: BackOffice["usdtPrice"],
): ConversionTerms {
  const price = truncated(usdtPrice(fromCoin).times(KEPT).div(usdtPrice(toCoin)), PRICE_PLACES);
  if (fromCoinSize !== undefined) {
    return { fromCoin, toCoin, price, fromCoinSize, toCoinSize: truncated(fromCoinSize.times(price), SIZE_PLACES) };
  }
  if (toCoinSize === undefined) throw new Refused(REFUSAL.missingParameter, "fromCoinSize");
  // Rounded up, so that the exchange never pays more than the price allows.
  return { fromCoin, toCoin, price, toCoinSize, fromCoinSize: toCoinSize.div(price).round(SIZE_PLACES, Exact.roundUp) };
}

const isSame = (quotation: ConversionTerms, terms: ConversionTerms): boolean =>
  terms.fromCoin === quotation.fromCoin &&
  terms.toCoin === quotation.toCoin &&
  terms.fromCoinSize.eq(quotation.fromCoinSize) &&
  terms.toCoinSize.eq(quotation.toCoinSize) &&
  terms.price.eq(quotation.price);
