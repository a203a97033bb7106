import { QUOTE_VALIDITY_MS, type Quotation } from "@exchange-graph/contract/convert";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { LRUCache } from "lru-cache";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { ArgumentViolation } from "../fault.js";
import { isEqual } from "./policies/evidence.js";

/** What a conversion repeats of its quotation. */
type Terms = Pick<Quotation, "traceId" | "fromCoin" | "fromAmount" | "toCoin" | "toAmount" | "price">;

interface Given {
  readonly quote: Terms;
  readonly givenAt: number;
}

/** Quotations are short-lived; more of them than this are not open at once. */
const MAX_QUOTES = 10_000;

/** The quotations that this gateway has passed on: what a conversion is held against before it is sent. */
export class Quotes {
  readonly #given = new LRUCache<string, Given>({ max: MAX_QUOTES });

  /** `now` is the exchange's time, after the quotation has come. */
  remember(account: ExchangeAccount, quote: Terms, now: number): void {
    this.#given.set(keyOf(account, quote), { quote, givenAt: now });
  }

  /** What is wrong with a conversion. Of a quotation that came another way only the exchange can say. */
  brokenBy(account: ExchangeAccount, terms: Terms, now: number): ArgumentViolation[] {
    const known = this.#given.get(keyOf(account, terms));
    if (known === undefined) return [];
    if (now > known.givenAt + QUOTE_VALIDITY_MS)
      return [
        { argument: "traceId", rule: `must be a quotation of the last ${QUOTE_VALIDITY_MS / 1000} seconds; ask for a new one` },
      ];
    const { quote } = known;
    const altered = (["fromAmount", "toAmount", "price"] as const).filter((field) => !isEqual(terms[field], quote[field]));
    const swapped = (["fromCoin", "toCoin"] as const).filter((field) => inCapitals(terms[field]) !== inCapitals(quote[field]));
    return [...altered, ...swapped].map((argument) => ({ argument, rule: `must be as quoted: ${quote[argument]}` }));
  }
}

const keyOf = ({ name }: ExchangeAccount, { traceId }: Terms): string => `${name}/${traceId}`;
