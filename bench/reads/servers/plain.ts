import { signature } from "@exchange-graph/contract/signing";
import { request } from "undici";

/**
 * A minimal data source without validation, rate limits or metrics: a signed call per field, and the list of symbols cached in a
 * variable. All peers of the comparison use it.
 */
export class PlainExchange {
  #symbols: Promise<readonly PlainSymbol[]> | undefined;

  constructor(private readonly upstream: string) {}

  async symbols(names: readonly string[] | undefined): Promise<readonly PlainSymbol[]> {
    this.#symbols ??= this.#get("/api/v2/spot/public/symbols");
    const all = await this.#symbols;
    if (names === undefined) return all;
    const wanted = new Set(names);
    return all.filter(({ symbol }) => wanted.has(symbol));
  }

  ongoingLoans(orderId: string | undefined): Promise<readonly PlainLoan[]> {
    return this.#get(`/api/v2/earn/loan/ongoing-orders${orderId === undefined ? "" : `?orderId=${orderId}`}`);
  }

  async #get<T>(target: string): Promise<T> {
    const timestamp = String(Date.now());
    const { body } = await request(this.upstream + target, {
      headers: {
        "ACCESS-KEY": "key",
        "ACCESS-PASSPHRASE": "passphrase",
        "ACCESS-TIMESTAMP": timestamp,
        "ACCESS-SIGN": signature("secret", { timestamp, method: "GET", target }),
      },
    });
    return ((await body.json()) as { data: T }).data;
  }
}

export interface PlainSymbol {
  readonly symbol: string;
  readonly baseCoin: string;
  readonly quoteCoin: string;
  readonly status: string;
  readonly minTradeAmount: string;
  readonly maxTradeAmount: string;
  readonly minTradeUSDT: string;
  readonly makerFeeRate: string;
  readonly takerFeeRate: string;
  readonly pricePrecision: string;
  readonly quantityPrecision: string;
  readonly quotePrecision: string;
  readonly buyLimitPriceRatio: string;
  readonly sellLimitPriceRatio: string;
  readonly orderQuantity: string;
}

export type PlainLoan = Readonly<Record<LoanField, string>>;
export type LoanField =
  | "orderId"
  | "loanCoin"
  | "loanAmount"
  | "interestAmount"
  | "hourInterestRate"
  | "pledgeCoin"
  | "pledgeAmount"
  | "pledgeRate"
  | "supRate"
  | "forceRate"
  | "borrowTime"
  | "expireTime";

/** The part of the schema that the documents use, as SDL. */
export const SCHEMA = /* GraphQL */ `
  type Query {
    spotSymbols(symbols: [String!]): [SpotSymbol!]
    account: Account
  }
  type SpotSymbol {
    symbol: String! baseCoin: String! quoteCoin: String! status: String!
    orderSize: TradeSize! fees: Fees! precision: Precision! priceLimits: PriceLimits! maxOpenOrders: Int!
  }
  type TradeSize { min: String! max: String! minUsdt: String! }
  type Fees { maker: String! taker: String! }
  type Precision { price: Int! quantity: Int! quote: Int }
  type PriceLimits { buy: String! sell: String! }
  type Account { loans: Loans! }
  type Loans { ongoing(orderId: String): [Loan!] }
  type Loan {
    orderId: String! loanCoin: String! loanAmount: String! interestAmount: String! hourlyRate: String! pledgeCoin: String!
    pledgeAmount: String! ltv: String! marginCallLtv: String! liquidationLtv: String! borrowTime: String! expireTime: String
  }
`;

/** Resolvers for `SCHEMA`, for servers that take a resolver map. */
export const resolvers = (exchange: PlainExchange) => ({
  Query: {
    spotSymbols: (_: unknown, { symbols }: { symbols?: string[] }) => exchange.symbols(symbols),
    account: () => ({}),
  },
  Account: { loans: () => ({}) },
  Loans: { ongoing: (_: unknown, { orderId }: { orderId?: string }) => exchange.ongoingLoans(orderId) },
  SpotSymbol: {
    maxOpenOrders: (row: PlainSymbol) => row.orderQuantity,
    orderSize: (row: PlainSymbol) => ({ min: row.minTradeAmount, max: row.maxTradeAmount, minUsdt: row.minTradeUSDT }),
    fees: (row: PlainSymbol) => ({ maker: row.makerFeeRate, taker: row.takerFeeRate }),
    precision: (row: PlainSymbol) => ({ price: row.pricePrecision, quantity: row.quantityPrecision, quote: row.quotePrecision }),
    priceLimits: (row: PlainSymbol) => ({ buy: row.buyLimitPriceRatio, sell: row.sellLimitPriceRatio }),
  },
  Loan: {
    hourlyRate: (row: PlainLoan) => row.hourInterestRate,
    ltv: (row: PlainLoan) => row.pledgeRate,
    marginCallLtv: (row: PlainLoan) => row.supRate,
    liquidationLtv: (row: PlainLoan) => row.forceRate,
    borrowTime: (row: PlainLoan) => new Date(Number.parseInt(row.borrowTime, 10)).toISOString(),
    expireTime: (row: PlainLoan) => new Date(Number.parseInt(row.expireTime, 10)).toISOString(),
  },
});
