import { createServer } from "node:http";
import { createGatewayRuntime } from "@graphql-hive/gateway-runtime";
import { unifiedGraphHandler } from "@graphql-hive/router-runtime";
import { createDefaultExecutor } from "@graphql-mesh/transport-common";
import { makeExecutableSchema } from "@graphql-tools/schema";
import { composeServices } from "@theguild/federation-composition";
import { parse } from "graphql";
import { report } from "../../build/bench/child.js";
import { PlainExchange, resolvers, SCHEMA } from "../../build/bench/reads/servers/plain.js";

/** Hive Gateway with the query planner of Hive Router. Its only subgraph is executed in the same process, without a network. */

const [upstream = ""] = process.argv.slice(2);
const { supergraphSdl, errors } = composeServices([
  { name: "exchange", typeDefs: parse(SCHEMA), url: "http://exchange.invalid" },
]);
if (supergraphSdl === undefined) throw new Error(`the supergraph could not be composed: ${JSON.stringify(errors)}`);

const subgraph = makeExecutableSchema({ typeDefs: SCHEMA, resolvers: resolvers(new PlainExchange(upstream)) });
const gateway = createGatewayRuntime({
  supergraph: supergraphSdl,
  unifiedGraphHandler,
  transports: { http: { getSubgraphExecutor: () => createDefaultExecutor(subgraph) } },
  logging: false,
});
const server = createServer(gateway);
server.listen(0, "127.0.0.1", () => report(`http://127.0.0.1:${server.address().port}/graphql`));
