import { createServer } from "node:http";
import { constant, lambda, list, loadMany, makeGrafastSchema } from "grafast";
import { grafserv } from "grafserv/node";
import { report } from "../../build/bench/child.js";
import { PlainExchange, SCHEMA } from "../../build/bench/reads/servers/plain.js";

/**
 * grafserv with Grafast plans instead of resolvers: `loadMany` loads each list, and the plans of its fields read from the
 * records.
 */

const [upstream = ""] = process.argv.slice(2);
const exchange = new PlainExchange(upstream);

/** Grafast loads nothing for a null lookup, but a missing argument means all rows: so the argument is wrapped in a list. */
const symbols = (lookups) => Promise.all(lookups.map(([names]) => exchange.symbols(names ?? undefined)));
const ongoingLoans = (lookups) => Promise.all(lookups.map(([orderId]) => exchange.ongoingLoans(orderId ?? undefined)));

const from = (name) => ($row) => $row.get(name);
const same = ($row) => $row;
const instant = (milliseconds) => new Date(Number.parseInt(milliseconds, 10)).toISOString();
const instantFrom = (name) => ($row) => lambda($row.get(name), instant, true);

const schema = makeGrafastSchema({
  typeDefs: SCHEMA,
  objects: {
    Query: {
      plans: {
        spotSymbols: (_, { $symbols }) => loadMany(list([$symbols]), symbols),
        account: () => constant({}),
      },
    },
    Account: { plans: { loans: () => constant({}) } },
    Loans: { plans: { ongoing: (_, { $orderId }) => loadMany(list([$orderId]), ongoingLoans) } },
    SpotSymbol: {
      plans: { maxOpenOrders: from("orderQuantity"), orderSize: same, fees: same, precision: same, priceLimits: same },
    },
    TradeSize: { plans: { min: from("minTradeAmount"), max: from("maxTradeAmount"), minUsdt: from("minTradeUSDT") } },
    Fees: { plans: { maker: from("makerFeeRate"), taker: from("takerFeeRate") } },
    Precision: {
      plans: { price: from("pricePrecision"), quantity: from("quantityPrecision"), quote: from("quotePrecision") },
    },
    PriceLimits: { plans: { buy: from("buyLimitPriceRatio"), sell: from("sellLimitPriceRatio") } },
    Loan: {
      plans: {
        hourlyRate: from("hourInterestRate"),
        ltv: from("pledgeRate"),
        marginCallLtv: from("supRate"),
        liquidationLtv: from("forceRate"),
        borrowTime: instantFrom("borrowTime"),
        expireTime: instantFrom("expireTime"),
      },
    },
  },
});

const peer = grafserv({ schema, preset: { grafserv: { graphiql: false, outputDataAsString: true } } });
const server = createServer();
await peer.addTo(server);
server.listen(0, "127.0.0.1", () => report(`http://127.0.0.1:${server.address().port}/graphql`));
