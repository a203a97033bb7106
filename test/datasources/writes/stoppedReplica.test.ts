import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { SANDBOX_CREDENTIALS, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createWithClock, serverClock } from "../../../packages/replicas/test/journal/support.js";
import { describeUnless } from "../../support/missing.js";
import { noPostgres, type Postgres, startPostgres } from "../../support/postgres.js";
import { fastClock } from "./support/fastClock.js";
import { UID } from "./support/liveExchange.js";
import { openReplica } from "./support/replicas.js";

const BUILT = existsSync(join(import.meta.dirname, "../../../dist/src/datasources/writes/writer.js"));
const missing = noPostgres() ?? (BUILT ? undefined : "the gateway was not built: npm run build:server");

describeUnless(
  missing,
  "a replica that is stopped between the journal and the exchange until another has settled its write",
  () => {
    let postgres: Postgres;
    beforeAll(async () => {
      postgres = await startPostgres();
    });
    afterAll(() => postgres.close());

    // Most of a minute at the exchange is waited for: both wait at once.
    it.concurrent.for([
      ["does not send it, and answers with the other's outcome", 60_000, 0, "REJECTED"],
      ["sends what the exchange does not carry out any more, where it has not given up", 300_000, 1, ""],
    ] as const)("%s", async ([, deadlineMs, sent, said], { onTestFinished }) => {
      const time = { from: Date.UTC(2026, 0, 5, 12), since: Date.now(), factor: 20 };
      const clock = fastClock(time);
      const sandbox = await startSandbox({ signedQuery: "decoded", clock, seed: "stopped", hasPast: false });
      const databaseUrl = await createWithClock(postgres, serverClock(time));
      const [credential] = SANDBOX_CREDENTIALS;
      const argument = JSON.stringify({ url: sandbox.url, credential, time, databaseUrl, deadlineMs });
      const child = spawn(process.execPath, [join(import.meta.dirname, "support/stoppedWriter.mjs"), argument], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const exited = once(child, "exit");
      onTestFinished(() => void child.kill("SIGKILL"));
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      expect((await lines.next()).value).toBe("stopping");
      const other = await openReplica(databaseUrl, sandbox.url, { clock });
      const entry = () => other.exchange.writes.journal.find(UID.main, "stopped");
      await vi.waitFor(async () => expect((await entry())?.state).toBe("REJECTED"), { timeout: 60_000, interval: 20 });
      const settled = await entry();
      await new Promise<void>((resolve) => clock.after((settled?.sentAt ?? 0) + 60_000 - clock.now(), resolve));
      child.kill("SIGCONT");
      expect((await lines.next()).value).toContain(said);
      await exited;
      expect(sandbox.calls.of("placeOrder").total).toBe(sent);
      const { orders } = sandbox.world.state;
      expect([...orders.open(UID.main), ...orders.finished(UID.main)].map(({ clientOid }) => clientOid)).not.toContain("stopped");
      expect(await entry()).toEqual(settled);
      expect(other.ended.filter(({ clientOid, state }) => clientOid === "stopped" && state === "REJECTED")).toHaveLength(1);
      await other.close();
      await sandbox.close();
    });
  },
);
