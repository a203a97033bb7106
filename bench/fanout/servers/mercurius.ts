import { fastify } from "fastify";
import mercurius from "mercurius";
import { report } from "../../child.js";
import { everyTick } from "../ticks.js";

/** Mercurius with its built-in subscriptions. */

const app = fastify();
await app.register(mercurius, {
  schema: `
    type Ticker { symbol: String! lastPrice: String! bid1Price: String! ask1Price: String! time: String! }
    type Query { hello: String }
    type Subscription { ticker(symbol: String!): Ticker! }
  `,
  resolvers: {
    Subscription: { ticker: { subscribe: (_root, _args, { pubsub }) => pubsub.subscribe("ticker") } },
  },
  subscription: true,
  jit: 1,
});
everyTick((tick) => {
  const ticker = { ...tick, time: new Date(tick.time).toISOString() };
  app.graphql.pubsub.publish({ topic: "ticker", payload: { ticker } });
});
report(await app.listen({ host: "127.0.0.1", port: 0 }));
