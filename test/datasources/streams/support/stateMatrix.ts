import { endpoints } from "@exchange-graph/contract";
import { HOUR_MS, ManualClock } from "@exchange-graph/contract/clock";
import { rowsRead } from "@exchange-graph/contract/rows";
import { FUTURES_CATEGORIES, MARKET_CATEGORIES, PRODUCT_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { ALL_PERMISSIONS, type Credential } from "@exchange-graph/sandbox/credentials";
import { type DataSource, type ExchangeAccount, RequestReads } from "../../../../src/datasources/index.js";
import { readBalances, readUnifiedAssets } from "../../../../src/datasources/reads/queries/balances.js";
import { readFills } from "../../../../src/datasources/reads/queries/fills.js";
import { readFuturesAccounts } from "../../../../src/datasources/reads/queries/futuresSettings.js";
import { readEveryOpenOrder } from "../../../../src/datasources/reads/queries/openOrders.js";
import { readOpenPlanOrders } from "../../../../src/datasources/reads/queries/planOrders.js";
import { readPositions } from "../../../../src/datasources/reads/queries/positions.js";
import type { TracedRead } from "../../../../src/datasources/reads/reader/trace.js";
import { createStreams, type Streams } from "../../../../src/datasources/streams/index.js";
import { settled } from "../../../support/eventually.js";
import { exchangeOver, sandboxAccount } from "../../../support/exchangeOver.js";
import { ownInstrumentation } from "../../../support/searchedTelemetry.js";
import { WideScheduler } from "../../../support/wideScheduler.js";
import { ACCOUNT_STATES, type AccountState, Actor } from "./accountStates.js";
import { START } from "./followed.js";
import { saidBy } from "./saidBy.js";

/** Accounts in every state, each read completely once a second, from 100 seconds before a full hour on. */
const BEGIN = START + HOUR_MS - 100_000;
/** Until every account's lists have been read once: at least, and at most. */
const WARM_UP_SECONDS = 60;
const LONGEST_WARM_UP_SECONDS = 165;
const STEP_MS = 50;
/** Tickers are pushed at multiples of this, ms: then the last push has the exchange's current prices. */
const BEAT_MS = 600;

type Read = (reads: RequestReads) => Promise<unknown>;

/** What was seen of an account. */
export interface Observed {
  readonly state: AccountState;
  /** Ages of its data in all answers, ms. */
  readonly ages: number[];
  /** Reads of each list that were not answered from streams. */
  readonly missed: Record<string, number>;
  /** Calls that the exchange received, by endpoint. */
  readonly calls: Record<string, number>;
  /** Answers from streams beside the exchange's own. */
  readonly compared: { readonly what: string; readonly live: unknown; readonly exchange: unknown }[];
}

interface ReadSubject {
  readonly state: Pick<AccountState, "mode">;
  readonly account: ExchangeAccount;
}

interface Subject extends ReadSubject {
  readonly state: AccountState;
  readonly uid: string;
  readonly actor: Actor;
  readonly observed: Observed;
  /** Reads that have not been answered yet. */
  pending: number;
}

const keyOf = (uid: string): Credential =>
  SANDBOX_CREDENTIALS.find((one) => one.uid === uid) ?? {
    key: `key-${uid}`,
    secret: `secret-${uid}`,
    passphrase: "passphrase",
    uid,
    permissions: ALL_PERMISSIONS,
    isDemo: false,
  };

const PRIVATE = endpoints.filter(({ access }) => access === "private").map(({ name }) => name);

/** All accounts' states, measured for a number of seconds and then compared with the exchange. */
export class StateMatrix {
  readonly #clock = new ManualClock(BEGIN);
  #isCounted = false;
  /** Whether trigger orders, which have the most lists, were read from the exchange in this second. */
  #hasReadPlans = false;

  private constructor(
    private readonly sandbox: Sandbox,
    private readonly subjects: readonly Subject[],
    private readonly exchange: DataSource,
    /** Reads the exchange's own answers, and shares nothing with the gateway. */
    private readonly other: DataSource,
    private readonly streams: Streams,
    clock: ManualClock,
  ) {
    this.#clock = clock;
  }

  static async open(states: readonly AccountState[] = ACCOUNT_STATES): Promise<StateMatrix> {
    const clock = new ManualClock(BEGIN);
    const uids = states.map(({ uid }, at) => uid ?? `${7_700_000_000 + at}`);
    const sandbox = await startSandbox({ clock, hasPast: true, credentials: uids.map(keyOf) });
    const subjects = states.map((state, at): Subject => {
      const uid = uids[at] ?? "";
      const actor = new Actor(sandbox.world, uid);
      if (state.uid === undefined) actor.open(state.mode, BEGIN);
      state.begin?.(actor);
      const observed = { state, ages: [], missed: {}, calls: {}, compared: [] };
      return { state, uid, actor, account: sandboxAccount(state.name, keyOf(uid)), observed, pending: 0 };
    });
    const accounts = subjects.map(({ account }) => account);
    const instrumentation = ownInstrumentation();
    const settings = { clock, accounts, instrumentation, deadlineMs: 30_000, connections: 64, cacheEntries: 20_000 };
    const exchange = exchangeOver(new URL(sandbox.url), settings);
    const scheduler = new WideScheduler(clock);
    const other = exchangeOver(new URL(sandbox.url), { ...settings, instrumentation: ownInstrumentation(), scheduler });
    const wsUrl = new URL(sandbox.wsUrl);
    const streams = createStreams({ exchange, wsUrl, live: "all", clock, random: () => 0.5, instrumentation });
    return new StateMatrix(sandbox, subjects, exchange, other, streams, clock);
  }

  /** Reads everything once a second, and returns what was seen after the first minute. */
  async observe(seconds: number, beats: number): Promise<readonly Observed[]> {
    await this.#learnUsers();
    for (let second = 0; second < WARM_UP_SECONDS || (this.#hasReadPlans && second < LONGEST_WARM_UP_SECONDS); second++) {
      this.#hasReadPlans = false;
      await this.#second();
    }
    this.sandbox.calls.clear();
    this.#isCounted = true;
    for (let second = 0; second < seconds; second++) {
      if (second % 60 === 5) for (const { state, actor } of this.subjects) state.eachMinute?.(actor);
      await this.#second();
      this.#countCalls();
    }
    this.#isCounted = false;
    for (let beat = 0; beat < beats; beat++) {
      for (let second = 0; second < 3; second++) await this.#second();
      await this.#pass(BEAT_MS - (this.#clock.now() % BEAT_MS));
      await settled(60);
      for (const subject of this.subjects) await this.#compare(subject);
    }
    return this.subjects.map(({ observed }) => observed);
  }

  /** As at the start of the gateway, which checks its keys and learns their users. */
  async #learnUsers(): Promise<void> {
    const { exchange } = this;
    const checking = exchange.checkKeys();
    const isUnknown = () => exchange.accounts.some((account) => exchange.knownUsers.cachedUser(account) === undefined);
    for (let second = 0; second < WARM_UP_SECONDS && isUnknown(); second++) await this.#pass(1_000);
    await checking;
  }

  async close(): Promise<void> {
    await this.streams.close();
    await Promise.all([this.exchange.close(), this.other.close()]);
    await this.sandbox.close();
  }

  async #pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await settled(4);
      this.#clock.advance(Math.min(STEP_MS, ms - passed));
    }
    await settled(4);
  }

  async #second(): Promise<void> {
    const steps = 1_000 / STEP_MS;
    for (let step = 0; step < steps; step++) {
      for (const [at, subject] of this.subjects.entries()) if (at % steps === step) this.#read(subject);
      await this.#pass(STEP_MS);
    }
  }

  #read(subject: Subject): void {
    // At the start, reads wait for the rate budget of all accounts, and more of them would wait for the same.
    if (!this.#isCounted && subject.pending > 0) return;
    for (const [what, read] of Object.entries(readsOf(subject))) {
      const reads = new RequestReads(this.exchange, { live: this.streams.live });
      subject.pending++;
      const done = () => {
        subject.pending--;
        this.#observe(subject, what, reads);
      };
      // A read that waits for the rate budget of all accounts at the start may fail.
      read(reads).then(done, done);
    }
  }

  #observe({ observed }: Subject, what: string, { trace }: RequestReads): void {
    const own = trace.reads.filter(({ account }) => account !== undefined);
    if (what === "plans" && own.some(({ source }) => source !== "STREAM")) this.#hasReadPlans = true;
    if (!this.#isCounted) return;
    for (const { ageMs } of own) observed.ages.push(ageMs);
    if (own.some(({ source }) => source !== "STREAM")) observed.missed[what] = (observed.missed[what] ?? 0) + 1;
  }

  #countCalls(): void {
    const byUid = new Map(this.subjects.map(({ uid, observed }) => [uid, observed.calls]));
    for (const { uid = "", endpoint } of this.sandbox.calls.latest()) {
      const calls = byUid.get(uid);
      if (calls !== undefined) calls[endpoint] = (calls[endpoint] ?? 0) + 1;
    }
    this.sandbox.calls.clear();
  }

  /** Time stands still meanwhile; what is not answered from streams may need it to pass. */
  async #compare(subject: Subject): Promise<void> {
    for (const [what, read] of Object.entries(readsOf(subject))) {
      const reads = new RequestReads(this.exchange, { live: this.streams.live });
      const live = await Promise.race([read(reads), settled(50)]);
      const isStreamed = ({ account, source }: TracedRead) => account === undefined || source === "STREAM";
      if (live === undefined || !reads.trace.reads.every(isStreamed)) continue;
      this.other.reader.drop(subject.account.name, PRIVATE);
      const exchange = await read(new RequestReads(this.other));
      subject.observed.compared.push({ what, live: saidBy(exchange, live), exchange });
    }
  }
}

let turn = 0;

/** Everything of an account that queries are answered from streams. */
export function readsOf({ state: { mode }, account }: ReadSubject): Readonly<Record<string, Read>> {
  const categories = mode === "unified" ? PRODUCT_CATEGORIES : MARKET_CATEGORIES;
  // One category at a time: the exchange allows twenty lists a second, and comparing takes no time.
  const listed = mode === "unified" ? PRODUCT_CATEGORIES : FUTURES_CATEGORIES;
  const planned = listed[turn++ % listed.length] ?? "USDT-FUTURES";
  const common: Record<string, Read> = {
    orders: async (reads) => rowsRead(await readEveryOpenOrder(reads, account)),
    positions: async (reads) => rowsRead(await readPositions(reads, account, {})).map(({ hasAutoMargin, ...one }) => one),
    plans: async (reads) => (await readOpenPlanOrders(reads, account, { category: planned }, {})).rows.map(({ row }) => row),
    fills: (reads) =>
      Promise.all(
        categories.map(async (category) => {
          const { rows } = await readFills(reads, account, { category }, { from: BEGIN, first: 20 });
          return rows.map(({ row }) => row);
        }),
      ),
  };
  if (mode === "unified") return { ...common, account: (reads) => readUnifiedAssets(reads, account) };
  return {
    ...common,
    balances: async (reads) => rowsRead(await readBalances(reads, account)),
    wallets: async (reads) =>
      (await Promise.all(FUTURES_CATEGORIES.map((category) => readFuturesAccounts(reads, account, category)))).flat(),
  };
}
