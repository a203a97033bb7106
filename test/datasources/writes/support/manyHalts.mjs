// A process that halts many users one after the other, once it gets input. Runs what was built.
import { once } from "node:events";
import { systemClock } from "@exchange-graph/contract/clock";
import { HaltFile } from "../../../../dist/src/datasources/writes/halts/haltStore.js";

const [, , path, who] = process.argv;
const store = new HaltFile(path, systemClock);
// The clock's timers keep no process alive.
setInterval(() => undefined, 1_000);
process.stdout.write("ready\n");
await once(process.stdin, "data");
for (let number = 0; number < 10; number++)
  await store.change((halts) => [...halts, { user: `${who}-${number}`, account: who, since: number, by: null, reason: null }]);
process.exit(0);
