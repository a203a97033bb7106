import { endpoints } from "@exchange-graph/contract";
import { plain } from "@exchange-graph/contract/decimal";
import type { Fill } from "@exchange-graph/contract/fill";
import { rowsRead } from "@exchange-graph/contract/rows";
import { MARKET_CATEGORIES, PRODUCT_CATEGORIES, type ProductCategory } from "@exchange-graph/contract/vocabulary";
import { lastPrice, markPrice } from "@exchange-graph/sandbox/world/state";
import { expect, it } from "vitest";
import { RequestReads } from "../../../../src/datasources/index.js";
import type { Slice } from "../../../../src/datasources/reads/paging/pager.js";
import { readFills } from "../../../../src/datasources/reads/queries/fills.js";
import { readPositions } from "../../../../src/datasources/reads/queries/positions.js";
import { eventually } from "../../../support/eventually.js";
import { seeded } from "../../../support/seeded.js";
import { startedForEach } from "../../../support/started.js";
import { START } from "../support/followed.js";
import { CONTRACTS, RandomTrader } from "../support/randomTrader.js";
import { saidBy } from "../support/saidBy.js";
import { readsOf } from "../support/stateMatrix.js";
import { streamedSandbox } from "../support/streamedSandbox.js";

/** How many things happen to the accounts. */
const STEPS = Number.parseInt(process.env.LIVE_PARITY_STEPS ?? "12", 10);
const SEED = Number.parseInt(process.env.LIVE_PARITY_SEED ?? "20260115", 10);
/** Far more than it takes. */
const TIMEOUT_MS = 60_000 + STEPS * 5_000;
/** What happens to the line to the exchange. */
const MISHAPS = ["disconnect", "loss", "repetition"] as const;
/** What is done for sure, and when. */
const DONE_AT = new Map<number, "transfer" | "liquidation">([
  [1, "transfer"],
  [3, "liquidation"],
  [5, "liquidation"],
]);
/** Tickers are pushed at multiples of this, ms: at such a moment what was pushed last is what the exchange says. */
const BEAT_MS = 600;
/** Prices move at multiples of this, ms. */
const TICK_MS = 200;

const world = startedForEach(() => streamedSandbox("v3", {}, START, undefined, false, "auto", true));

type Name = "main" | "classic";
type Read = (reads: RequestReads) => Promise<unknown>;

const liveReads = () => new RequestReads(world.exchange, { live: world.streams.live });

/** Everything that is answered from state. */
function listsOf(name: Name): Readonly<Record<string, Read>> {
  const account = world.account(name);
  const categories = name === "main" ? PRODUCT_CATEGORIES : MARKET_CATEGORIES;
  return {
    ...readsOf({ state: { mode: name === "main" ? "unified" : "classic" }, account }),
    fills: (reads) => Promise.all(categories.map((category) => twoPages(reads, name, category))),
    positions: async (reads) => rowsRead(await readPositions(reads, account, {})),
  };
}

/** The latest executions of a category, page by page. */
async function twoPages(reads: RequestReads, name: Name, category: ProductCategory): Promise<readonly Slice<Fill>[]> {
  const asked = { from: START, first: 4 };
  const first = await readFills(reads, world.account(name), { category }, asked);
  const after = first.rows.at(-1)?.cursor;
  return first.hasNextPage ? [first, await readFills(reads, world.account(name), { category }, { ...asked, after })] : [first];
}

/** Waits while no time passes; where the answer waits for time, it passes. */
async function still<T>(waiting: Promise<T>): Promise<{ readonly value: T; readonly hasMoved: boolean }> {
  let isOver = false;
  const before = world.clock.now();
  const watched = waiting.finally(() => {
    isOver = true;
  });
  for (let round = 0; !isOver; round++) await world.pass(round > 40 ? TICK_MS : 0, TICK_MS);
  return { value: await watched, hasMoved: world.clock.now() !== before };
}

const SYMBOLS = ["BTC", "ETH", "SOL", "USDC", "XRP", "DOGE", "LINK", "AVAX", "TRX"].map((coin) => `${coin}USDT`);
const MARKETS = [...SYMBOLS.map((symbol) => ({ category: "SPOT", symbol }) as const), ...CONTRACTS];

/** Whether the current prices have been pushed. Only subscribed topics are pushed. */
const isPriced = (): boolean =>
  MARKETS.every(({ category, symbol }) => {
    const ticker = world.streams.market.liveTicker({ category, symbol });
    const { state } = world.sandbox.world;
    const price = category === "SPOT" ? lastPrice(state, category, symbol) : markPrice(state, category, symbol);
    return ticker === undefined || (category === "SPOT" ? ticker.lastPrice : ticker.markPrice) === plain(price);
  });

/** Until what the exchange has pushed is what it says. */
async function toTheBeat(): Promise<void> {
  await world.pass(BEAT_MS - (world.clock.now() % BEAT_MS), TICK_MS);
  await eventually(isPriced);
}

const sourcesOf = ({ trace }: RequestReads) => [...new Set(trace.reads.map(({ source }) => source))].join();

const PRIVATE = endpoints.filter(({ access }) => access === "private").map(({ name }) => name);

it("an answer from state equals the exchange's at that time, with any changes of an account", {
  timeout: TIMEOUT_MS,
}, async () => {
  const random = seeded(SEED);
  const trader = new RandomTrader(world.sandbox.world, random);
  const answered: Record<string, number> = {};
  const asked: Record<string, number> = {};
  const streamed: Record<string, number> = {};
  const happened = { disconnect: 0, loss: 0, repetition: 0 };
  const compare = async (step: number): Promise<void> => {
    for (const name of ["main", "classic"] as const)
      for (const [list, read] of Object.entries(listsOf(name))) {
        const what = `${name} ${list}`;
        asked[what] = (asked[what] ?? 0) + 1;
        if (world.clock.now() % BEAT_MS !== 0) await toTheBeat();
        const reads = liveReads();
        const live = await still(read(reads));
        if (sourcesOf(reads) !== "STREAM") continue;
        streamed[what] = (streamed[what] ?? 0) + 1;
        world.exchange.reader.drop(name, PRIVATE);
        const rest = await still(read(new RequestReads(world.exchange)));
        if (live.hasMoved || rest.hasMoved) continue;
        answered[what] = (answered[what] ?? 0) + 1;
        expect([step, what, saidBy(rest.value, live.value)]).toEqual([step, what, rest.value]);
      }
  };
  for (let second = 0; second < 6; second++) {
    await toTheBeat();
    await compare(-1);
    await world.pass(1_000);
  }
  for (let step = 0; step < STEPS; step++) {
    if (step > 0 && step % 500 === 0) process.stdout.write(`${JSON.stringify({ step, answered })}\n`);
    // A short run has one of each, a long one as chance will have it.
    const mishap = step < MISHAPS.length * 2 ? MISHAPS[step / 2] : MISHAPS[random(40)];
    if (mishap === "disconnect") world.sandbox.sockets.drop();
    if (mishap === "loss") world.line?.lose();
    if (mishap !== undefined) happened[mishap]++;
    trader.act(DONE_AT.get(step));
    // What was pushed arrives, or is lost together with its line.
    await world.pass(0);
    if (mishap === "loss") world.line?.mend();
    if (mishap === "repetition" || random(10) === 0) world.line?.repeat();
    await world.pass(0);
    await compare(step);
    await world.pass(random(3) === 0 ? 4_000 : 1_000, TICK_MS);
    await toTheBeat();
    await compare(step);
  }
  const counts = {
    ...world.line?.counts,
    disconnects: happened.disconnect,
    transfers: trader.done.transfer ?? 0,
    liquidations: trader.liquidations,
  };
  if (STEPS > 100) process.stdout.write(`${JSON.stringify({ asked, streamed, answered, done: trader.done, counts })}\n`);
  for (const [what, count] of Object.entries(counts)) expect([what, count > 0]).toEqual([what, true]);
  expect(Object.keys(answered).sort()).toEqual(Object.keys(asked).sort());
  for (const count of Object.values(answered)) expect(count).toBeGreaterThan(STEPS / 6);
});
