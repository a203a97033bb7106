import { randomUUID } from "node:crypto";
import { systemClock } from "@exchange-graph/contract/clock";
import { Database } from "../../../packages/replicas/src/database/database.js";
import { databaseStores } from "../../../packages/replicas/src/journal/databaseStores.js";
import { openReplicaStores } from "../../../packages/replicas/src/redis/replicaStores.js";
import { Secret } from "../../../src/datasources/index.js";
import { INSTRUMENTATION } from "../../../src/instrumentation/instrumentation.js";
import { addressOf } from "../../../test/support/postgres.js";
import { report } from "../../child.js";
import { startGateway } from "../../gateway.js";
import { exchangeOver } from "../../reads/exchange.js";

/** The gateway with Redis and PostgreSQL, if their addresses are given, and without the exchange's rate limits. */
const [upstream = "", redisUrl, databaseUrl] = process.argv.slice(2);
const shared =
  redisUrl === undefined
    ? undefined
    : await openReplicaStores(
        { url: new Secret(redisUrl), replica: "bench", egressGroup: "default", realm: "bench" },
        {
          clock: systemClock,
          monotonic: () => performance.now(),
          random: Math.random,
          newName: randomUUID,
          instrumentation: INSTRUMENTATION,
        },
      );
const database =
  databaseUrl === undefined
    ? undefined
    : await Database.open({ address: addressOf(databaseUrl), name: "bench", clock: systemClock });
const exchange = exchangeOver(upstream, {
  stores: shared && ((...parts) => shared.exchange(...parts)),
  writeStores: database && databaseStores(database, "bench"),
});
report(`${await startGateway(exchange)}/graphql`);
