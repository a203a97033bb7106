import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { badInput, Fault } from "./fault.js";

/** The symbol of a call or a stream, by its parameters. */
interface NamedMarket {
  readonly category?: unknown;
  readonly productType?: unknown;
  readonly symbol?: unknown;
}

/** Codes that always mean an unknown symbol. */
const SYMBOL_CODES: ReadonlySet<string> = new Set([REFUSAL.unknownSpotSymbol.code, "25100"]);
/** Codes that can also mean other invalid values: their text decides. The last one is from the WebSocket interface. */
const VALUE_CODES: ReadonlySet<string> = new Set([REFUSAL.unknownSymbol.code, "30001"]);

/** The error for a symbol that the exchange does not list, the same for every query, stream and mutation. */
export function unknownSymbol(category: string, symbol: string, exchange?: Fault): Fault {
  const listed = category.replace("-", "_").toUpperCase();
  const rule = `must be a symbol of ${listed}${symbol === "" ? "" : `; there is no ${shortened(inCapitals(symbol))}`}`;
  const { message, extensions } = badInput([{ argument: "symbol", rule }]);
  const { exchange: answer, endpoint } = exchange?.extensions ?? {};
  const details = {
    ...extensions,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(answer === undefined ? {} : { exchange: answer }),
  };
  return new Fault("BAD_USER_INPUT", message, details, { cause: exchange });
}

/** The same fault, or the error for an unknown symbol if the exchange does not know it. */
export function inClientsWords<E>(error: E, { category, productType, symbol }: NamedMarket): E | Fault {
  if (!(error instanceof Fault) || typeof symbol !== "string") return error;
  const { exchange } = error.extensions;
  if (exchange === undefined) return error;
  const isNamed = /\bsymbol\b/i.test(exchange.msg) || inCapitals(exchange.msg).includes(inCapitals(symbol));
  if (!SYMBOL_CODES.has(exchange.code) && !(VALUE_CODES.has(exchange.code) && isNamed)) return error;
  const where = category ?? productType;
  return unknownSymbol(typeof where === "string" ? where : "SPOT", symbol, error);
}

const shortened = (text: string): string => (text.length <= 40 ? text : `${text.slice(0, 40)}…`);
