import { QUOTE_VALIDITY_MS, type Quotation } from "@exchange-graph/contract/convert";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { ExchangeAccount } from "../calls/index.js";
import { type ArgumentViolation, growingLru } from "../errors/index.js";
import { isEqual } from "./policies/evidence.js";

type Terms = Pick<Quotation, "traceId" | "fromCoin" | "fromAmount" | "toCoin" | "toAmount" | "price">;

interface IssuedQuote {
  readonly quote: Terms;
  readonly issuedAt: number;
}

/** Maximum number of open quotations; they are short-lived. */
const MAX_QUOTES = 10_000;

/** The quotations that this gateway has returned, for checking conversions before they are sent. */
export class ConvertQuotes {
  readonly #quotes = growingLru<IssuedQuote>(MAX_QUOTES);

  /** `now` is the exchange's time after the quotation has arrived. */
  remember(account: ExchangeAccount, quote: Terms, now: number): void {
    this.#quotes.set(keyOf(account, quote), { quote, issuedAt: now });
  }

  /** Violations of a conversion. A quotation from elsewhere is checked by the exchange only. */
  brokenBy(account: ExchangeAccount, terms: Terms, now: number): ArgumentViolation[] {
    const issued = this.#quotes.get(keyOf(account, terms));
    if (issued === undefined) return [];
    if (now > issued.issuedAt + QUOTE_VALIDITY_MS)
      return [
        { argument: "traceId", rule: `must be a quotation of the last ${QUOTE_VALIDITY_MS / 1000} seconds; ask for a new one` },
      ];
    const { quote } = issued;
    const altered = (["fromAmount", "toAmount", "price"] as const).filter((field) => !isEqual(terms[field], quote[field]));
    const swapped = (["fromCoin", "toCoin"] as const).filter((field) => inCapitals(terms[field]) !== inCapitals(quote[field]));
    return [...altered, ...swapped].map((argument) => ({ argument, rule: `must be as quoted: ${quote[argument]}` }));
  }
}

const keyOf = ({ name }: ExchangeAccount, { traceId }: Terms): string => `${name}/${traceId}`;
