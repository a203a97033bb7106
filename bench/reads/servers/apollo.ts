import "reflect-metadata";
import { ApolloServer } from "@apollo/server";
import { startStandaloneServer } from "@apollo/server/standalone";
import { Arg, buildSchema, Field, FieldResolver, Int, ObjectType, Query, Resolver, Root } from "type-graphql";
import { report } from "../../child.js";
import { type LoanField, PlainExchange, type PlainLoan, type PlainSymbol } from "./plain.js";

/** A typical Apollo Server with type-graphql, with default settings. */

const [upstream = ""] = process.argv.slice(2);
const exchange = new PlainExchange(upstream);

@ObjectType()
class TradeSize {
  @Field(() => String) min!: string;
  @Field(() => String) max!: string;
  @Field(() => String) minUsdt!: string;
}
@ObjectType()
class Fees {
  @Field(() => String) maker!: string;
  @Field(() => String) taker!: string;
}
@ObjectType()
class Precision {
  @Field(() => Int) price!: string;
  @Field(() => Int) quantity!: string;
  @Field(() => Int, { nullable: true }) quote!: string;
}
@ObjectType()
class PriceLimits {
  @Field(() => String) buy!: string;
  @Field(() => String) sell!: string;
}
@ObjectType()
class SpotSymbol {
  @Field(() => String) symbol!: string;
  @Field(() => String) baseCoin!: string;
  @Field(() => String) quoteCoin!: string;
  @Field(() => String) status!: string;
  @Field(() => Int, { name: "maxOpenOrders" }) orderQuantity!: string;
}
@ObjectType()
class Loan implements PlainLoan {
  @Field(() => String) orderId!: string;
  @Field(() => String) loanCoin!: string;
  @Field(() => String) loanAmount!: string;
  @Field(() => String) interestAmount!: string;
  @Field(() => String, { name: "hourlyRate" }) hourInterestRate!: string;
  @Field(() => String) pledgeCoin!: string;
  @Field(() => String) pledgeAmount!: string;
  @Field(() => String, { name: "ltv" }) pledgeRate!: string;
  @Field(() => String, { name: "marginCallLtv" }) supRate!: string;
  @Field(() => String, { name: "liquidationLtv" }) forceRate!: string;
  @Field(() => String) borrowTime!: string;
  @Field(() => String, { nullable: true }) expireTime!: string;
}
@ObjectType()
class Loans {
  @Field(() => String, { nullable: true }) none?: string;
}
@ObjectType()
class Account {
  @Field(() => Loans) loans!: Loans;
}

@Resolver(() => SpotSymbol)
class SpotSymbolResolver {
  @Query(() => [SpotSymbol], { nullable: true })
  spotSymbols(@Arg("symbols", () => [String], { nullable: true }) symbols?: string[]) {
    return exchange.symbols(symbols);
  }
  @FieldResolver(() => TradeSize)
  orderSize(@Root() row: PlainSymbol) {
    return { min: row.minTradeAmount, max: row.maxTradeAmount, minUsdt: row.minTradeUSDT };
  }
  @FieldResolver(() => Fees)
  fees(@Root() row: PlainSymbol) {
    return { maker: row.makerFeeRate, taker: row.takerFeeRate };
  }
  @FieldResolver(() => Precision)
  precision(@Root() row: PlainSymbol) {
    return { price: row.pricePrecision, quantity: row.quantityPrecision, quote: row.quotePrecision };
  }
  @FieldResolver(() => PriceLimits)
  priceLimits(@Root() row: PlainSymbol) {
    return { buy: row.buyLimitPriceRatio, sell: row.sellLimitPriceRatio };
  }
}
@Resolver(() => Loans)
class LoanResolver {
  @Query(() => Account)
  account() {
    return { loans: {} };
  }
  @FieldResolver(() => [Loan], { nullable: true })
  ongoing(@Arg("orderId", () => String, { nullable: true }) orderId?: string) {
    return exchange.ongoingLoans(orderId);
  }
}
@Resolver(() => Loan)
class LoanTimes {
  @FieldResolver(() => String)
  borrowTime(@Root() row: Record<LoanField, string>) {
    return new Date(Number.parseInt(row.borrowTime, 10)).toISOString();
  }
  @FieldResolver(() => String, { nullable: true })
  expireTime(@Root() row: Record<LoanField, string>) {
    return new Date(Number.parseInt(row.expireTime, 10)).toISOString();
  }
}

const schema = await buildSchema({ resolvers: [SpotSymbolResolver, LoanResolver, LoanTimes] });
const { url } = await startStandaloneServer(new ApolloServer({ schema }), { listen: { host: "127.0.0.1", port: 0 } });
report(url);
