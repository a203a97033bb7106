import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { withoutPadding } from "@exchange-graph/contract/decimal";
import { MARKET_CATEGORIES, type MarketCategory } from "@exchange-graph/contract/vocabulary";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { tickAt } from "@exchange-graph/sandbox/world/market/listing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeUnless } from "../support/missing.js";
import { noRedis, type RedisServer, redisServer } from "../support/redisServer.js";
import { SHORT_LIVED } from "../support/shortLived.js";

/** How often the replica that leads most books is killed; 50 for a full run. */
const KILLS = Number.parseInt(process.env.BOOK_KILLS ?? "0", 10);
/** How often it is stopped gracefully. */
const STOPS = Math.max(1, Math.round(KILLS / 5));
const BOOKS = KILLS > 1 ? 45 : 6;
/** Updates of live books between kills, over all books: 100,000 in total at 50 kills. */
const UPDATES = KILLS > 1 ? Math.ceil((2_000 * KILLS) / (KILLS + STOPS)) : 20;
const REPLICAS = 3;
/** Limit promised by the documentation, ms. */
const LIVE_AGAIN_MS = 8_000;
/** A short run is among others that keep the machine busy: the second of a stop is held by a full run. */
const HANDED_OVER_MS = KILLS > 1 ? 1_000 : LIVE_AGAIN_MS;
/** After this silence a subscriber receives an event that its book is interrupted, ms; twice that on a busy machine. */
const SILENT_MS = KILLS > 1 ? 2_500 : 5_000;

const BUILT = existsSync(resolve("dist/packages/replicas/src/redis/replicaStores.js"));
const unbuilt = BUILT ? undefined : "the gateway was not built: npm run build:server";
const missing = KILLS === 0 ? "it kills processes: BOOK_KILLS=1 enables it" : (noRedis ?? unbuilt);
const textOf = (levels: readonly (readonly [string, string])[]): string =>
  levels.map(([price, qty]) => `${withoutPadding(price)} ${withoutPadding(qty)}`).join();

/** A market by its name, for example `SPOT/BTCUSDT`. */
function marketNamed(name: string): readonly [MarketCategory, string] {
  const [wanted, symbol = ""] = name.split("/");
  const category = MARKET_CATEGORIES.find((one) => one === wanted);
  if (category === undefined) throw new Error(`${name} is no market`);
  return [category, symbol];
}

/** The exchange's book at a sequence. Without trades it depends only on the sequence, so past books can be computed. */
function ownBook(sandbox: Sandbox, symbol: string, seq: string): string | undefined {
  const { asks, bids, ...depth } = sandbox.world.state.markets
    .of(...marketNamed(symbol))
    .depth(tickAt(Number(BigInt(seq) / 1_000_000n)));
  if (String(depth.seq) !== seq) return undefined;
  return createHash("md5")
    .update(`${textOf(asks)}|${textOf(bids)}`)
    .digest("base64");
}

/** The sequences received for each book. */
class Sequences {
  readonly #known = new Map<string, Set<string>>();
  count = 0;

  add(symbol: string, seq: string): void {
    const known = this.#known.get(symbol) ?? new Set();
    if (!known.has(seq)) this.count++;
    this.#known.set(symbol, known.add(seq));
  }
}

interface BookEvent {
  readonly seq: string;
  readonly isStale: boolean;
  readonly digest: string;
  readonly at: number;
}

/** A replica process, and everything that its subscribers received. */
class Replica {
  readonly bookEvents = new Map<string, BookEvent[]>();
  readonly ends: string[] = [];
  leads = 0;
  endedAt: number | undefined;

  constructor(
    readonly name: string,
    readonly child: ChildProcess,
    symbols: readonly string[],
    sequences: Sequences,
  ) {
    for (const symbol of symbols) this.bookEvents.set(symbol, []);
    if (child.stdout === null) throw new Error("no output");
    createInterface(child.stdout).on("line", (line) => {
      const [symbol = "", seq = "", stale = "", digest = ""] = line.split(" ");
      if (symbol === "leads") this.leads = Number(seq);
      // A replica that stops gracefully ends its subscriptions.
      else if (seq === "ended") this.ends.push(...(this.endedAt === undefined ? [line] : []));
      else {
        this.bookEvents.get(symbol)?.push({ seq, isStale: stale === "1", digest, at: performance.now() });
        sequences.add(symbol, seq);
      }
    });
  }

  /** Books that differ from the exchange's or have not arrived. */
  get interrupted(): readonly string[] {
    const all = [...this.bookEvents].filter(([, events]) => events.at(-1)?.isStale !== false);
    return all.map(([symbol, events]) => `${this.name} ${symbol} after ${events.length} events`);
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const ended = once(this.child, "exit");
    this.child.kill(signal);
    this.endedAt = performance.now();
    await ended;
  }
}

describeUnless(missing, `${REPLICAS} replicas whose leader is killed, and stopped`, () => {
  let redis: RedisServer;
  let sandbox: Sandbox;
  const sequences = new Sequences();
  let symbols: readonly string[] = [];
  const all: Replica[] = [];
  const living = new Set<Replica>();
  beforeAll(async () => {
    redis = await redisServer({ realm: "live" });
    sandbox = await startSandbox({ hasPast: false });
    symbols = sandbox.world.state.markets.all
      .map(({ listing }) => listing)
      .map(({ instrument: { category, symbol } }) => `${category}/${symbol}`)
      .slice(0, BOOKS);
    expect(symbols).toHaveLength(BOOKS);
  });
  afterAll(async () => {
    for (const { child } of all) child.kill("SIGKILL");
    await sandbox.close();
    await redis.close();
  });

  const start = (): Replica => {
    const name = `replica-${all.length}`;
    const given = { url: sandbox.url, wsUrl: sandbox.wsUrl, redisUrl: redis.url, ownName: name, symbols };
    const child = spawn(
      process.execPath,
      [...SHORT_LIVED, join(import.meta.dirname, "support/bookReplica.mjs"), JSON.stringify(given)],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const replica = new Replica(name, child, symbols, sequences);
    all.push(replica);
    living.add(replica);
    return replica;
  };

  const until = async (holds: () => boolean) => expect.poll(holds, { timeout: 60_000, interval: 50 }).toBe(true);
  const allLive = () =>
    expect.poll(() => [...living].flatMap(({ interrupted }) => interrupted), { timeout: 60_000, interval: 50 }).toEqual([]);
  const more = (count: number) => {
    const from = sequences.count;
    return until(() => sequences.count >= from + count);
  };

  /** The longest time after `from` in which a subscriber received no current event of a book. */
  const silence = (survivors: readonly Replica[], from: number): number =>
    Math.max(
      ...survivors.flatMap(({ bookEvents }) =>
        [...bookEvents.values()].map((events) => {
          let last = from;
          let longest = 0;
          for (const { isStale, at } of events) {
            if (isStale || at < from) continue;
            longest = Math.max(longest, at - last);
            last = at;
          }
          return longest;
        }),
      ),
    );

  it(
    "show the exchange's own books, sequence by sequence, and report each gap",
    async () => {
      for (let count = 0; count < REPLICAS; count++) start();
      await allLive();
      const silences: Record<"SIGKILL" | "SIGTERM", number[]> = { SIGKILL: [], SIGTERM: [] };
      const ends = [
        ...Array.from({ length: KILLS }, () => "SIGKILL" as const),
        ...Array.from({ length: STOPS }, () => "SIGTERM" as const),
      ];
      for (const [at, signal] of ends.entries()) {
        await more(UPDATES);
        const [leader] = [...living].sort((one, other) => other.leads - one.leads);
        if (leader === undefined || leader.leads === 0) throw new Error("nobody leads");
        living.delete(leader);
        const survivors = [...living];
        const from = performance.now();
        await leader.stop(signal);
        // The replacement starts while there is no leader, as with a fixed number of replicas.
        if (at < ends.length - 1) start();
        // The other replicas have not detected it yet.
        await until(() => [...living].reduce((sum, { leads }) => sum + leads, 0) >= BOOKS);
        const ledMs = performance.now() - from;
        await allLive();
        await more(2 * BOOKS);
        const silentMs = silence(survivors, from);
        silences[signal].push(silentMs);
        if (KILLS > 1)
          process.stdout.write(`${signal}: led after ${Math.round(ledMs)} ms, silent for ${Math.round(silentMs)} ms\n`);
      }

      let events = 0;
      const books = new Map<string, string | undefined>();
      const wrong: string[] = [];
      const gaps: string[] = [];
      for (const { name, bookEvents, ends: ended } of all) {
        expect(ended).toEqual([]);
        for (const [symbol, heard] of bookEvents) {
          let last: BookEvent | undefined;
          for (const event of heard) {
            events++;
            const key = `${symbol} ${event.seq}`;
            if (!books.has(key)) books.set(key, ownBook(sandbox, symbol, event.seq));
            if (books.get(key) !== event.digest) wrong.push(`${name} ${key}`);
            // Each event is the whole book and may combine several changes, so only a lasting difference is a gap.
            const leapt = last === undefined ? 0 : Number((BigInt(event.seq) - BigInt(last.seq)) / 1_000_000n);
            if (leapt > SILENT_MS && last?.isStale === false && !event.isStale)
              gaps.push(`${name} ${symbol} ${last.seq} to ${event.seq}`);
            last = event;
          }
        }
      }
      const most = (of: readonly number[]) => Math.round(Math.max(...of));
      if (KILLS > 1)
        process.stdout.write(
          `${KILLS} kills, ${STOPS} stops, ${sequences.count} updates of ${BOOKS} books, ${events} events at listeners: ` +
            `${wrong.length} wrong, ${gaps.length} gaps that were not reported; silent for at most ${most(silences.SIGKILL)} ms ` +
            `after a kill, ${most(silences.SIGTERM)} ms after a stop\n`,
        );
      expect({ wrong, gaps }).toEqual({ wrong: [], gaps: [] });
      expect(events).toBeGreaterThan(UPDATES);
      expect(most(silences.SIGKILL)).toBeLessThan(LIVE_AGAIN_MS);
      expect(most(silences.SIGTERM)).toBeLessThan(HANDED_OVER_MS);
    },
    60_000 + KILLS * 30_000,
  );
});
