import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSchema, createYoga } from "graphql-yoga";
import { report } from "../../child.js";
import { PlainExchange, resolvers, SCHEMA } from "./plain.js";

const [upstream = ""] = process.argv.slice(2);
const yoga = createYoga({
  schema: createSchema({ typeDefs: SCHEMA, resolvers: resolvers(new PlainExchange(upstream)) }),
  logging: false,
});
const server = createServer(yoga);
server.listen(0, "127.0.0.1", () => report(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`));
