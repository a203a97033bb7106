// A process that rebuilds the past of accounts, and is killed. It prints a line for each stretch that is stored. It has no live state:
// each interval is a gap, and nothing of the past depends on that. Runs what was built.
import { Database } from "../../../../dist/packages/replicas/src/database/database.js";
import { databaseHistory } from "../../../../dist/packages/replicas/src/history/databaseHistory.js";
import { readDatabaseAddress } from "../../../../dist/src/config/databaseAddress.js";
import { Backfill, fileHistory, Ledger, Recorder } from "../../../../dist/src/datasources/history/index.js";
import { createExchange, RequestReads } from "../../../../dist/src/datasources/index.js";
import { createInstrumentation, listen } from "../../../../dist/src/instrumentation/instrumentation.js";
import { accountsOf, clockOf } from "../../../support/childParts.mjs";

const { url, realm, path, databaseUrl, holder, accounts, time, settings } = JSON.parse(process.argv[2]);

const clock = clockOf(time);

const instrumentation = createInstrumentation(holder);
listen(instrumentation, instrumentation.history, (event) => {
  if (event.kind === "rebuilt") process.stdout.write(`${event.account} ${event.share} ${event.status}\n`);
  if (event.kind === "failed") process.stderr.write(`${event.error}\n`);
});

const exchange = createExchange({
  baseUrl: new URL(url),
  accounts: accountsOf(accounts),
  ...{ realm, demo: false, deadlineMs: 300_000, connections: 8, cacheEntries: 1_000, random: () => 0.5 },
  ...{ clock, instrumentation },
});
const open =
  databaseUrl === undefined
    ? fileHistory(path)
    : databaseHistory(await Database.open({ address: readDatabaseAddress(databaseUrl), name: holder, clock }));
const store = open({ clock, realm });
const newReads = () => new RequestReads(exchange, { priority: "background", patienceMs: 600_000 });
const ledger = new Ledger(store, newReads);
const now = () => exchange.clock.now();
const backfill = new Backfill({ store, ledger, newReads, now, settings, instrumentation });
const streams = { worths: { keep: () => () => undefined, of: () => "INTERRUPTED" } };
const reconciler = { turn: async () => undefined };
const parts = { exchange, streams, store, ledger, backfill, reconciler, clock, instrumentation, holder, settings };
new Recorder(parts).start();
