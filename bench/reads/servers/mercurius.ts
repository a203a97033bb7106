import { fastify } from "fastify";
import { mercurius } from "mercurius";
import { report } from "../../child.js";
import { PlainExchange, resolvers, SCHEMA } from "./plain.js";

const [upstream = ""] = process.argv.slice(2);
const app = fastify();
await app.register(mercurius, { schema: SCHEMA, resolvers: resolvers(new PlainExchange(upstream)), jit: 1 });
report(`${await app.listen({ host: "127.0.0.1", port: 0 })}/graphql`);
