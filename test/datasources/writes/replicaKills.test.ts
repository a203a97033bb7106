import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { randomOf } from "@exchange-graph/sandbox/world/random";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { Database } from "../../../packages/replicas/src/database/database.js";
import { createWithClock, serverClock } from "../../../packages/replicas/test/journal/support.js";
import { describeUnless } from "../../support/missing.js";
import { addressOf, noPostgres, type Postgres, startPostgres } from "../../support/postgres.js";
import { type TcpProxy, tcpProxy } from "../../support/tcpProxy.js";
import { fastClock } from "./support/fastClock.js";
import { openReplica } from "./support/replicas.js";

/** How often a replica is killed, or stopped for twenty seconds: every third time, the first among them. 100 for a run that counts. */
const KILLS = Number.parseInt(process.env.REPLICA_KILLS ?? "0", 10);
const REPLICAS = 3;
/** Accepted orders after which a replica may be killed. */
const WARM = 4;
const LOAD = join(import.meta.dirname, "support/replicaLoad.mjs");
const BUILT = existsSync(join(import.meta.dirname, "../../../dist/src/datasources/writes/writer.js"));
const missing = noPostgres() ?? (BUILT ? undefined : "the gateway was not built: npm run build:server");

/** Seconds pass five times as fast, for the server of the database too. */
const time = { from: Date.UTC(2026, 0, 5, 12), since: Date.now(), factor: 5 };
const clock = fastClock(time);
const random = randomOf("replicas");
const chance = (below: number): number => Math.floor((random.next() / 0x1_0000_0000) * below);
const wait = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

const accounts = SANDBOX_CREDENTIALS.slice(0, 2).map((credential, at) => ({
  ...credential,
  name: ["main", "classic"][at] ?? "",
}));

/** What has become of each entry, as the database itself has seen it. */
const HISTORY = `CREATE TABLE public.history (seq bigint, at timestamptz, claimed_from text, claimed_by text, ended text);
  CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF new.owner <> old.owner OR (new.state NOT IN ('SENT', 'UNKNOWN') AND old.state IN ('SENT', 'UNKNOWN')) THEN
      INSERT INTO public.history VALUES (new.seq, clock_timestamp(), CASE WHEN new.owner <> old.owner THEN old.owner END, new.owner,
        CASE WHEN new.state NOT IN ('SENT', 'UNKNOWN') THEN new.state END);
    END IF;
    RETURN new;
  END $$;
  CREATE TRIGGER note AFTER UPDATE ON exchange_graph.writes FOR EACH ROW EXECUTE FUNCTION public.note();`;

const historyRows = z.array(
  z.object({
    seq: z.string(),
    at: z.date(),
    claimed_from: z.string().nullable(),
    claimed_by: z.string(),
    ended: z.string().nullable(),
  }),
);
const entryRows = z.array(
  z.object({ seq: z.string(), account: z.string(), key: z.string(), state: z.string(), owner: z.string() }),
);

const notAsked = KILLS === 0 ? "it takes a while: REPLICA_KILLS=2 has it done" : undefined;
describeUnless(missing ?? notAsked, `${REPLICAS} replicas of which one is killed or stopped ${KILLS} times under load`, () => {
  let postgres: Postgres;
  let sandbox: Sandbox;
  let lines: { readonly database: TcpProxy; readonly exchange: TcpProxy };
  let direct: string;
  beforeAll(async () => {
    [postgres, sandbox] = await Promise.all([
      startPostgres(),
      startSandbox({ signedQuery: "decoded", clock, seed: "replica kills", hasPast: false, enforceLimits: false }),
    ]);
    for (const endpoint of ["placeOrder", "classicPlaceSpotOrder"])
      for (const fault of [{ kind: "lost-reply" }, { kind: "reset" }, { kind: "latency", delayMs: 3_000 }] as const)
        sandbox.faults.add({ endpoint, fault, probability: 0.1 });
    lines = { database: await tcpProxy(`tcp://127.0.0.1:${postgres.port}`), exchange: await tcpProxy(sandbox.url) };
    direct = await createWithClock(postgres, serverClock(time));
    await (await Database.open({ address: addressOf(direct), name: "first", clock })).close();
    await postgres.ask(direct, HISTORY);
  });
  afterAll(async () => {
    await lines.database.close();
    await lines.exchange.close();
    await sandbox.close();
    await postgres.close();
  });

  /** What clients were answered, by account and key: the outcome, and by which replica. */
  const reported: (readonly [string, string])[] = [];
  const diedAt = new Map<string, number>();
  let incarnations = 0;

  interface Load {
    readonly name: string;
    readonly child: ChildProcess;
    /** Resolves once so many of its clients have got their outcome that others are on their way. */
    readonly warm: Promise<void>;
  }

  const start = async (): Promise<Load> => {
    const name = `r${incarnations++}`;
    const databaseUrl = new URL(direct);
    databaseUrl.host = lines.database.host;
    const given = { url: `http://${lines.exchange.host}`, databaseUrl: databaseUrl.href, name, accounts, time };
    const child = spawn(process.execPath, [LOAD, JSON.stringify({ ...given, everyMs: 400, sharedMs: 2_000 })], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const printed = createInterface(child.stdout);
    const ready = once(printed, "line");
    let accepted = 0;
    const warm = new Promise<void>((resolve) => {
      printed.on("line", (line) => {
        const [account, key, outcome] = line.split(" ");
        if (outcome !== undefined)
          reported.push([`${account} ${key}`, outcome === "NOTHING" ? line.slice(line.indexOf(outcome)) : outcome]);
        if (outcome === "ACCEPTED" && ++accepted === WARM) resolve();
      });
    });
    await Promise.race([ready, once(child, "exit").then(() => Promise.reject(new Error(`${name} has ended`)))]);
    return { name, child, warm };
  };

  const stop = async ({ name, child }: Load, signal: NodeJS.Signals) => {
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
    diedAt.set(name, clock.now());
  };

  it(
    "loses no order and sends none twice, returns no false outcome, and settles each orphan once, in time",
    async () => {
      let left = KILLS;
      let down = 0;
      const replicas = await Promise.all(
        Array.from({ length: REPLICAS }, async () => {
          let replica = await start();
          while (left-- > 0) {
            const number = KILLS - left;
            await Promise.race([replica.warm, wait(120_000)]);
            await wait(chance(5_000));
            // One replica has to survive that can take over the open entries.
            while (down >= REPLICAS - 1) await wait(500);
            down++;
            if (number % 5 === 0) lines.database.cut();
            if (number % 7 === 0) lines.exchange.cut();
            if (number % 3 === 1) {
              replica.child.kill("SIGSTOP");
              await wait(20_000);
              replica.child.kill("SIGCONT");
            } else {
              await stop(replica, "SIGKILL");
              replica = await start();
            }
            down--;
          }
          return replica;
        }),
      );
      await wait(3_000);
      const last = await openReplica(direct, sandbox.url, { clock }, "last");
      await Promise.all(replicas.map((replica) => stop(replica, "SIGTERM")));
      sandbox.faults.clear();
      const { journal } = last.exchange.writes;
      await vi.waitFor(async () => expect(await journal.open()).toEqual([]), { timeout: 60_000, interval: 50 });
      await last.close();

      const orders = accounts.flatMap(({ name, uid }) => {
        const { open, finished } = sandbox.world.state.orders;
        const all = [...open.call(sandbox.world.state.orders, uid), ...finished.call(sandbox.world.state.orders, uid)];
        return all.map(({ clientOid }) => `${name} ${clientOid}`);
      });
      const entries = entryRows.parse(
        await postgres.ask(direct, "SELECT seq, account, key, state, owner FROM exchange_graph.writes"),
      );
      const history = historyRows.parse(await postgres.ask(direct, "SELECT * FROM public.history ORDER BY at"));
      const states = new Map(
        entries.filter(({ state }) => state !== "UNSENT").map(({ account, key, state }) => [`${account} ${key}`, state]),
      );
      const placed = new Set(orders);
      const wrong: string[] = [];
      if (placed.size < orders.length) wrong.push("an order twice");
      for (const order of placed) if (states.get(order) !== "ACCEPTED") wrong.push(`${order} exists and is ${states.get(order)}`);
      for (const [order, state] of states)
        if (!["ACCEPTED", "REJECTED"].includes(state) || (state === "ACCEPTED") !== placed.has(order))
          wrong.push(`${order} is ${state}`);
      for (const [order, outcome] of reported) {
        if ((outcome === "ACCEPTED" || outcome === "REJECTED") && states.get(order) !== outcome)
          wrong.push(`${order} was reported as ${outcome} and is ${states.get(order)}`);
      }
      for (const { seq } of entries) {
        const times = history.filter((line) => line.seq === seq && line.ended !== null).length;
        if (times !== 1) wrong.push(`${seq} was settled ${times} times`);
      }
      const claims = history.filter(({ claimed_from }) => claimed_from !== null);
      const waits = claims.flatMap(({ at, claimed_from }) => {
        const died = diedAt.get(claimed_from?.split(" ")[0] ?? "");
        return died === undefined ? [] : [at.getTime() - died];
      });
      if (Math.max(0, ...waits) > 20_000) wrong.push(`an orphan waited ${Math.max(...waits)} ms`);
      const said = new Map<string, number>();
      for (const [, outcome] of reported) said.set(outcome, (said.get(outcome) ?? 0) + 1);
      const count = (state: string) => entries.filter((entry) => entry.state === state).length;
      const figures = {
        ...{
          kills: KILLS,
          entries: entries.length,
          accepted: count("ACCEPTED"),
          rejected: count("REJECTED"),
          unsent: count("UNSENT"),
        },
        ...{ orders: orders.length, claimed: claims.length, longestWaitMs: Math.max(0, ...waits) },
      };
      if (process.env.REPLICA_KILLS !== undefined) process.stdout.write(`${JSON.stringify({ ...figures, said: [...said] })}\n`);
      expect(wrong).toEqual([]);
      expect(entries.length, JSON.stringify([...said])).toBeGreaterThan(KILLS * WARM);
    },
    60_000 + KILLS * 6_000,
  );
});
