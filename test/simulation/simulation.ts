import { createHash } from "node:crypto";
import { plain } from "@exchange-graph/contract/decimal";
import { type SandboxInMemory, sandboxInMemory } from "@exchange-graph/sandbox";
import { Refused } from "@exchange-graph/sandbox/refused";
import type { Order } from "@exchange-graph/sandbox/world/orders/order";
import type { ClientPrincipal } from "../../src/access/principal/clientPrincipal.js";
import { accountWith, BROKER, ConfiguredAccounts, CREDENTIALS, UIDS } from "./accounts.js";
import { type AccountName, type Action, CLIENTS, type OrderTerms, type Step, type StreamSettings } from "./actions.js";
import { App, newest, priced } from "./app.js";
import { Auditor, type Invariant, type Violation } from "./auditor.js";
import { checkRecovered } from "./ending.js";
import { Engines, isUnavailable } from "./engines.js";
import { Issuer } from "./issuer.js";
import { keptByProduct, whyTooMuch } from "./kept.js";
import { ConfiguredLimits } from "./limits.js";
import { type LineFaults, Network, NO_FAULTS } from "./line.js";
import { OPERATIONS, type OperationName, type Payload, QUOTE } from "./operations.js";
import { Past } from "./past.js";
import { PlanTerms, reachedPrice } from "./planning.js";
import type { History } from "./profile.js";
import { streamOf } from "./random.js";
import { Reads } from "./reads.js";
import { AnswerErrors, principalOf, Replica, strangerTo } from "./replica.js";
import { POSITIONS_MARKET, SettingWrites, settingOf } from "./settings.js";
import { StreamWorld } from "./streams.js";
import { Switches } from "./switching.js";
import { VirtualTime } from "./time.js";
import { OPERATOR, STRANGERS_ACCOUNT, TokenFiles } from "./tokens.js";
import { openSubAccounts, Withdrawals } from "./withdrawing.js";

/** Monday, late in the evening: a long history passes midnight. */
const START = Date.UTC(2026, 0, 5, 23, 50);
/** Time after the last step in which everything works again and every write settles. */
const SETTLING_MS = 90_000;
/** Then everything is left, and after this time nothing is open any more. */
const LEAVING_MS = 100_000;
/** Time in which a process that is stopped has ended all it began. */
const STOPPED_MS = 40_000;
/** A supervisor gives a process so long to end, as the units in `deploy` do at least, and looks so often whether it has. */
const GRACE_MS = 15_000;
const SUPERVISED_MS = 250;
/** Time in which a switch is disarmed at the end. */
const DISARMING_MS = 13_000;
/** The processes of every so many seeds are looked into after everybody has left, and again after this time, ms. */
const KEPT_EVERY = 14;
/** Most commands to Redis of one replica in ten seconds: twice as many as the busiest histories need. */
const MOST_COMMANDS = 5_000;
const QUIET_MS = 60_000;
/** Time until a process that could not start is started again. */
const RESTART_MS = 1_000;

/** Result of a run. */
export interface Report {
  readonly violation: Violation | undefined;
  /** Of everything that passed the line and happened in the ledger, in order. */
  readonly hash: string;
  readonly events: number;
  /** Simulated minutes, with those after the last step. */
  readonly minutes: number;
  readonly orders: number;
  readonly fills: number;
  readonly executed: string;
  /** Number of events that listeners have received. */
  readonly heard: number;
  /** Number of outcomes by kind. */
  readonly outcomes: ReadonlyMap<string, number>;
}

/** Options of a run. */
export interface RunOptions {
  /** Invariants that are not checked. Default: none. */
  readonly except?: ReadonlySet<Invariant>;
  /** Receives each line of the trace. */
  readonly watch?: (line: string) => void;
}

/** Runs a history to its end, or to the first violation. */
export const run = (history: History, options: RunOptions = {}): Promise<Report> => new Simulation(history, options).run();

class Simulation {
  readonly #time: VirtualTime;
  readonly #exchange: SandboxInMemory;
  readonly #network: Network;
  readonly #auditor: Auditor;
  readonly #engines: Engines;
  readonly #streams: StreamWorld;
  readonly #app: App;
  readonly #reads: Reads;
  readonly #past: Past;
  /** Steps that are under way, by the process that they were asked of. */
  readonly #underWay = new Map<Step, Replica | undefined>();
  readonly #replicas: (Replica | undefined)[] = [];
  readonly #clients = new Map(CLIENTS.map((name) => [name, principalOf(name)]));
  readonly #operator = principalOf(OPERATOR);
  readonly #stranger = strangerTo([STRANGERS_ACCOUNT]);
  readonly #hash = createHash("sha256");
  readonly #outcomes = new Map<string, number>();
  /** Inputs of trigger orders, by key. */
  readonly #keyed = new Map<string, Readonly<Record<string, unknown>>>();
  /** Inputs of orders, by step. */
  readonly #inputs = new Map<number, Readonly<Record<string, unknown>>>();
  /** Steps that are taken at two gateways, and keys of trigger orders that are placed several times. */
  readonly #repeated: ReadonlySet<number>;
  readonly #repeatedKeys: ReadonlySet<string>;
  readonly #limits: ConfiguredLimits;
  readonly #accounts: ConfiguredAccounts;
  readonly #withdrawals: Withdrawals;
  readonly #planTerms: PlanTerms;
  readonly #settings: SettingWrites | undefined;
  /** Undefined where nobody arms one. */
  readonly #switches: Switches | undefined;
  /** The file of clients; undefined if every client is who it says it is. */
  readonly #tokens: TokenFiles | undefined;
  /** Of the JWTs that clients have in place of tokens of the file. */
  #issuer: Issuer | undefined;
  #runs = 0;
  /** The gateway that the operator's last halt, or end of one, was asked of, until it has answered. */
  #operating: Replica | undefined;
  #error: unknown;

  constructor(
    private readonly history: History,
    private readonly options: RunOptions,
  ) {
    const { seed, profile, steps } = history;
    const firsts = new Map(steps.map((step) => [step.id, step] as const).reverse());
    this.#repeated = new Set(steps.filter((step) => firsts.get(step.id) !== step).map(({ id }) => id));
    const keys = steps.flatMap(({ action }) => (action.kind === "placePlan" ? [`p${action.key}`] : []));
    this.#repeatedKeys = new Set(keys.filter((key, at) => keys.indexOf(key) !== at));
    this.#time = new VirtualTime(seed, START);
    const time = this.#time;
    this.#exchange = sandboxInMemory({
      seed: String(seed),
      hasPast: false,
      ...(history.marketMs === undefined ? {} : { marketMs: history.marketMs }),
      credentials: CREDENTIALS,
      clock: { now: () => Math.floor(time.now), after: (delayMs, task) => time.at("exchange", time.now + delayMs, task) },
      report: (error) => this.#failed(error),
    });
    this.#engines = new Engines(time, seed, history);
    const hasBroker = profile.theme === "withdrawals";
    if (hasBroker) openSubAccounts(this.#exchange);
    this.#accounts = new ConfiguredAccounts(time, hasBroker);
    this.#limits = new ConfiguredLimits(profile, this.#exchange, this.#accounts);
    this.#auditor = new Auditor({
      time,
      exchange: this.#exchange,
      limits: this.#limits.applied,
      isShared: profile.replicas > 1,
      hasSharedRates: history.hasRedis,
      isDrifting: profile.happens.has("drift"),
      isJumping: profile.happens.has("clocks"),
      except: options.except ?? new Set(),
      trace: (line) => this.#trace(line),
    });
    this.#app = new App(this.#exchange, this.#auditor);
    this.#withdrawals = new Withdrawals({
      ...{ time, exchange: this.#exchange },
      refuseHalted: (...call) => this.#auditor.refuseHalted(...call),
      fail: (...why) => this.#auditor.fail(...why),
    });
    this.#planTerms = new PlanTerms({ time, exchange: this.#exchange, fail: (...why) => this.#auditor.fail(...why) });
    this.#switches =
      profile.theme === "switches"
        ? new Switches({
            ...{ time, replicas: profile.replicas },
            isOfUser: (key = "") => accountWith(key)?.startsWith("main") === true,
            fail: (...why) => this.#auditor.fail(...why),
          })
        : undefined;
    this.#tokens =
      profile.theme === "tokens"
        ? new TokenFiles({
            ...{ time, replicas: profile.replicas, isShared: history.hasRedis },
            clientOf: (call) => this.#auditor.clientOf(call),
            accountWith,
            fail: (...why) => this.#auditor.fail(...why),
          })
        : undefined;
    this.#network = new Network(time, this.#exchange, seed, {
      left: (call) => {
        this.#auditor.left(call);
        this.#withdrawals.left(call);
        this.#settings?.left(call);
        this.#tokens?.left(call);
        this.#issuer?.left(call);
      },
      arrived: (call) => this.#auditor.arrived(call),
      answered: (call, answer) => {
        this.#auditor.answered(call, answer);
        this.#switches?.answeredCall(call, answer);
        this.#settings?.answeredCall(call, answer);
      },
      isTold: (call) => this.#auditor.isTold(call),
      received: (call, answer) => {
        const gateway = this.#replicas.find((replica) => replica?.name === call.gateway);
        if (gateway !== undefined && answer.code === "00000") gateway.answeredAt ??= this.#time.now;
        this.#auditor.received(call, answer);
      },
    });
    const past = new Past(time, this.#exchange);
    this.#past = past;
    this.#settings =
      profile.theme === "settings"
        ? new SettingWrites({
            ...{ time, exchange: this.#exchange, past },
            uidOf: (account) => this.#accounts.uidOf(account),
            refuseHalted: (...call) => this.#auditor.refuseHalted(...call),
            fail: (...why) => this.#auditor.fail(...why),
            trace: (line) => this.#trace(line),
          })
        : undefined;
    this.#reads = new Reads({
      ...{ time, past, isLossy: profile.streams?.isLossy === true },
      openOrders: (uid) => [...this.#exchange.world.state.orders.open(uid)].map(({ orderId }) => orderId),
      userOf: (name) => this.#accounts.userOf(name),
      writtenAt: (orderId) => this.#auditor.writtenAt(orderId),
      mustForbid: (client, account, { place }) => this.#tokens?.mustForbid(client, account, "read", place) === true,
      forbidden: (client, account, { place }, since) => this.#tokens?.forbidden(client, account, "read", place, since),
      fail: (...why) => this.#auditor.fail(...why),
      trace: (line) => this.#trace(line),
    });
    this.#streams = new StreamWorld({
      ...{ seed, profile, time, exchange: this.#exchange, past },
      listeners: steps.flatMap(({ action }) => (action.kind === "listen" ? [action.terms] : [])),
      replicas: () => this.#replicas.map((replica) => (replica?.isServing === true ? replica : undefined)),
      principal: (client) => this.#principal(client),
      nameOf: (account) => this.#accounts.nameOf(account),
      userOf: (name) => this.#accounts.userOf(name),
      fail: (...why) => this.#auditor.fail(...why),
      failed: (error) => this.#failed(error),
      trace: (line) => this.#trace(line),
      emitted: (client, gateway, account) => {
        if (!(gateway instanceof Replica)) return;
        this.#tokens?.accepted(client, gateway.place, "emits an event to");
        if (account !== undefined) this.#tokens?.told(client, account, gateway.place, "emits an event to");
      },
    });
  }

  #principal(client: string): ClientPrincipal {
    const found = this.#clients.get(client as (typeof CLIENTS)[number]);
    if (found === undefined) throw new RangeError(`there is no client ${client}`);
    return found;
  }

  async run(): Promise<Report> {
    const { profile, steps, minutes } = this.history;
    const { seed } = this.history;
    if (this.#tokens !== undefined && streamOf(seed, "jwts").oneIn(2))
      this.#issuer = await Issuer.open({ ...{ time: this.#time, seed }, fail: (...why) => this.#auditor.fail(...why) });
    for (let place = 0; place < profile.replicas; place++) this.#start(place);
    for (const step of steps) this.#time.at("workload", START + 1_000 + step.at, () => void this.#attempt(step));
    const end = START + 1_000 + minutes * 60_000;
    this.#time.at("workload", end, () => this.#calm());
    this.#time.at("workload", end + SETTLING_MS - 20_000, () => void this.#checkRecovered());
    await this.#until(end + SETTLING_MS);
    if (!this.#isOver) this.#streams.checkEnd();
    this.#withdrawals.check();
    for (const { id, action } of this.#underWay.keys())
      this.#auditor.fail("settles", `step ${id} (${action.kind}) has no answer long after the faults`);
    this.#streams.close();
    await this.#leave(end + SETTLING_MS);
    for (const replica of this.#replicas) replica?.kill();
    if (this.#error !== undefined) throw this.#error;
    return {
      violation: this.#auditor.violation,
      hash: this.#hash.digest("hex"),
      events: this.#time.ran,
      minutes: (this.#time.now - START) / 60_000,
      ...this.#auditor.figures,
      heard: this.#streams.heardEvents,
      outcomes: this.#outcomes,
    };
  }

  async #until(time: number): Promise<void> {
    await this.#time.runUntil(time, () => this.#isOver);
  }

  /** Faults are over. */
  #calm(): void {
    this.#network.faults = NO_FAULTS;
    this.#streams.calm();
    this.#tokens?.calm();
    this.#issuer?.calm();
  }

  async #checkRecovered(): Promise<void> {
    try {
      this.#switches?.check();
      for (const replica of this.#replicas) {
        if (replica?.isServing !== true) throw new Error(`${replica?.name} does not serve long after the faults`);
        await checkRecovered(replica, {
          client: this.#operator,
          past: this.#past,
          mayBeExecuted: (clientOid) => this.#auditor.mayBeExecuted(clientOid),
          isOlder: (clientOid) => this.#auditor.isOlderThanItsRequest(clientOid),
          mustSettle: (key) => this.#withdrawals.mustSettle(key) || this.#settings?.mustSettle(key) === true,
          recorded: (key, status) => this.#settings?.recorded(key, status),
          accounts: this.#accounts.all.map(({ name }) => name),
          fail: (...why) => this.#auditor.fail(...why),
        });
      }
      if (this.#switches !== undefined) this.#disarm();
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Everything is left: nothing stays open, and processes that are stopped leave nothing behind. */
  async #leave(from: number): Promise<void> {
    await this.#until(from + LEAVING_MS);
    if (this.#isOver) return;
    // A replica that keeps streams for queries may have them through another one.
    const isKeeping = this.#replicas.some((replica) => replica?.isKeeping === true);
    for (const replica of this.#replicas) {
      const open = [...(isKeeping ? [] : (replica?.open ?? [])), ...(replica?.busy ?? [])];
      if (open.length > 0) this.#auditor.fail("nothing left", `${replica?.name} keeps ${open.join(", ")} for nobody`);
    }
    const commands = (this.#engines.redis?.busiest ?? 0) / this.#replicas.length;
    if (commands > MOST_COMMANDS)
      this.#auditor.fail("engine load", `Redis had ${commands} commands of each replica in ten seconds`);
    if (this.history.seed % KEPT_EVERY === 0) await this.#checkKept(isKeeping);
    for (let place = 0; place < this.#replicas.length; place++) this.#switches?.ended(place);
    for (const replica of this.#replicas) replica?.stop().catch((error: unknown) => this.#failed(error));
    await this.#until(this.#time.now + STOPPED_MS);
    for (const replica of this.#replicas)
      if (replica !== undefined && replica.left.length > 0)
        this.#auditor.fail("nothing left", `${replica.name} has ${replica.left.join(", ")} after it was stopped`);
    if (this.#isOver) return;
    const { open } = this.#streams.sockets;
    const held = this.#engines.left((clientOid) => this.#auditor.mayBeExecuted(clientOid));
    const left = [...held, ...(open > 0 ? [`${open} connections to the exchange`] : [])];
    if (left.length > 0) this.#auditor.fail("nothing left", `${left.join(", ")} are left after every gateway was stopped`);
  }

  /** What the processes keep for nobody grows no more. */
  async #checkKept(isKeeping: boolean): Promise<void> {
    if (this.#isOver) return;
    const before = keptByProduct();
    await this.#until(this.#time.now + QUIET_MS);
    if (this.#isOver) return;
    const after = keptByProduct();
    // Each step may have been a batch, and have been repeated.
    const writes = 20 * this.history.steps.length;
    for (const why of whyTooMuch(before, after, writes, isKeeping)) this.#auditor.fail("nothing left", why);
  }

  get #isOver(): boolean {
    return this.#auditor.violation !== undefined || this.#error !== undefined;
  }

  #trace(line: string): void {
    this.#hash.update(line);
    this.options.watch?.(line);
  }

  #failed(error: unknown): void {
    this.#error ??= error;
  }

  #start(place: number, settings: StreamSettings | undefined = this.history.profile.streams): void {
    const replica = new Replica({
      ...{ seed: this.history.seed, name: String.fromCharCode(97 + place), run: this.#runs++ },
      ...{
        time: this.#time,
        network: this.#network,
        streams: settings && { ...settings, sockets: this.#streams.sockets },
        isDrifting: this.history.profile.happens.has("drift"),
        engines: this.#engines,
        accounts: () => this.#accounts.all,
        limits: () => this.#limits.book,
        withdrawals: () => this.#withdrawals.rule,
        tokens: this.#tokens,
        issuer: this.#issuer,
      },
      failed: (error) => this.#failed(error),
    });
    this.#replicas[place] = replica;
    if (this.#runs > this.history.profile.replicas) this.#auditor.started();
    const serves = () => {
      if (this.#replicas[place] === replica) this.#switches?.serves(place);
    };
    replica.start().then(serves, (error: unknown) => {
      if (!isUnavailable(error)) this.#failed(error);
      // Without its database it ends, and is started again.
      replica.kill();
      if (this.#replicas[place] === replica) this.#replicas[place] = undefined;
      this.#time.at("workload", this.#time.now + RESTART_MS, () => {
        if (this.#replicas[place] === undefined) this.#start(place, settings);
      });
    });
  }

  async #attempt(step: Step): Promise<void> {
    this.#trace(`${this.#time.now} step ${step.id} ${JSON.stringify(step.action)}`);
    this.#underWay.set(step, this.#replica(step));
    try {
      await this.#act(step, step.action);
      this.#underWay.delete(step);
    } catch (error) {
      this.#underWay.delete(step);
      if (error instanceof AnswerErrors || error instanceof Refused) {
        const codes = error instanceof AnswerErrors ? error.codes : ["refused by the exchange"];
        for (const code of codes) this.#count(`${step.action.kind} ${code}`);
        if (codes.some((code) => code === "INTERNAL_SERVER_ERROR" || code === "GRAPHQL_VALIDATION_FAILED")) this.#failed(error);
      } else this.#failed(error);
    }
  }

  async #act(step: Step, action: Action): Promise<void> {
    switch (action.kind) {
      case "place":
      case "dryRun":
      case "trigger":
        return this.#place(step, action);
      case "modify": {
        const order = this.#picked(action);
        if (order !== undefined) await this.#modify(step, action, order);
        return;
      }
      case "cancel": {
        const order = this.#picked(action);
        if (order === undefined) return;
        const { orderId, category, symbol } = order;
        await this.#write(step, "cancelOrder", action, { by: { orderId }, category: enumOf(category), symbol });
        return;
      }
      case "placeSeveral":
        return this.#placeSeveral(step, action);
      case "cancelSeveral": {
        const orders = this.#auditor
          .open(this.#accounts.uidOf(action.account), action.client)
          .slice(-action.count)
          .map(({ orderId, category, symbol }) => ({ by: { orderId }, category: enumOf(category), symbol }));
        if (orders.length > 0) await this.#write(step, "cancelOrders", action, { orders });
        return;
      }
      case "cancelAll":
        await this.#write(step, "cancelAllOrders", action, { category: enumOf(action.market.category) });
        return;
      case "closeAll":
        if (action.market.category.endsWith("FUTURES"))
          await this.#write(step, "closePositions", action, { category: enumOf(action.market.category) });
        return;
      case "intrude": {
        const { input } = this.#orderInput(action.account, action.order);
        await this.#replica(step)?.isRunning();
        const replica = this.#replica(step);
        const isOther = this.#accounts.nameOf(action.account) !== STRANGERS_ACCOUNT;
        if (replica !== undefined && isOther)
          await this.#reads.intrude(replica, this.#stranger, this.#accounts.nameOf(action.account), input);
        return;
      }
      case "takeProfit":
        return this.#takeProfit(step, action);
      case "convert":
        return this.#convert(step, action);
      case "placePlan":
        return this.#placePlan(step, action);
      case "modifyPlan":
        return this.#modifyPlan(step, action);
      case "cancelPlan": {
        const plan = this.#pickedPlan(action);
        if (plan === undefined) return;
        const { planId, category, symbol } = plan;
        const input = { by: { orderId: planId }, kind: "PLAN_ORDER", category: enumOf(category), symbol };
        await this.#write(step, "cancelOrder", action, input);
        return;
      }
      case "arm":
        return this.#arm(step, action);
      case "setting":
        return this.#set(step, action);
      case "marginMode": {
        if (!this.#isClassic(action.account)) return;
        const input = { category: "USDT_FUTURES", symbol: POSITIONS_MARKET.symbol };
        await this.#write(step, "setMarginMode", action, { ...input, marginMode: action.isIsolated ? "ISOLATED" : "CROSSED" });
        return;
      }
      case "withdraw":
        return this.#withdraw(step, action);
      case "allow":
        this.#withdrawals.allow(action.isAllowed);
        for (const replica of this.#replicas) replica?.allowWithdrawalsTo(this.#withdrawals.rule);
        return;
      case "holdMode": {
        const isClassic = this.#isClassic(action.account);
        const input = {
          holdMode: action.isHedged ? "HEDGE_MODE" : "ONE_WAY_MODE",
          ...(isClassic ? { category: "USDT_FUTURES" } : {}),
        };
        await this.#write(step, "setHoldMode", action, input);
        return;
      }
      case "halt":
        return this.#halt(step, action);
      case "resume":
        return this.#resume(step, action);
      case "meet":
        this.#app.meet(this.#accounts.uidOf(action.account), action);
        return;
      case "appTrigger":
        this.#app.trigger(this.#accounts.uidOf(action.account), `app${step.id}`, action.order);
        return;
      case "appHoldMode":
        this.#app.setHoldMode(this.#accounts.uidOf(action.account), action.isHedged);
        return;
      case "appFlatten":
        this.#app.flatten(this.#accounts.uidOf(action.account));
        return;
      case "rename":
        this.#accounts.rename(action.account, action.to);
        for (const replica of this.#replicas) replica?.replaceAccounts(this.#accounts.all);
        return;
      case "forbid":
        this.#limits.forbid(action.market.symbol);
        for (const replica of this.#replicas) replica?.replaceLimits(this.#limits.book);
        this.#auditor.forbid(action.market.symbol);
        return;
      case "amounts":
        this.#limits.replace(action.times);
        for (const replica of this.#replicas) replica?.replaceLimits(this.#limits.book);
        this.#auditor.replaced(this.#limits.applied);
        return;
      case "token":
        if (this.#issuer === undefined) this.#tokens?.change(action.client, action.isGiven, step.replica, action.lagMs);
        else this.#issuer.rotate(action.isGiven, action.lagMs);
        return;
      case "rights":
        if (this.#issuer === undefined)
          this.#tokens?.limit(action.client, action.account, action.rights, step.replica, action.lagMs);
        else this.#issuer.trouble(action.rights !== "read", 2 * action.lagMs);
        return;
      case "exchangeClock": {
        const { clock } = this.#exchange;
        const before = clock.now();
        clock.skewMs = action.skewMs;
        this.#streams.jumped(before);
        return;
      }
      case "kill": {
        this.#end(step)?.kill();
        this.#again(step, action.downMs);
        return;
      }
      case "power": {
        const ended = this.#end(step);
        if (ended === undefined) return;
        ended.kill();
        this.#engines.storage.losePower();
        this.#again(step, action.downMs);
        return;
      }
      case "disk":
        this.#engines.storage.isFull = true;
        this.#time.at("workload", this.#time.now + action.forMs, () => {
          this.#engines.storage.isFull = false;
        });
        return;
      case "upgrade":
        this.#app.upgrade(this.#accounts.uidOf(action.account));
        return;
      case "restart": {
        const ended = this.#end(step);
        ended?.stop().then(
          () => ended.kill(),
          (error: unknown) => this.#failed(error),
        );
        this.#again(step, action.downMs, this.history.profile.streams && action.settings, ended);
        return;
      }
      case "machineClock":
        this.#replicas[step.replica % this.history.profile.replicas]?.setClock(action.byMs);
        return;
      case "pause": {
        const paused = this.#replicas[step.replica % this.history.profile.replicas];
        const forMs = Math.min(action.forMs, START + 1_000 + this.history.minutes * 60_000 - this.#time.now);
        paused?.pause(forMs);
        if (paused !== undefined) this.#streams.paused(paused, forMs);
        this.#switches?.paused(step.replica % this.history.profile.replicas, forMs);
        return;
      }
      case "maintenance":
        this.#suffer({ ...NO_FAULTS, unavailable: 1 }, action.forMs);
        this.#streams.act({ kind: "sockets", fault: { kind: "cut", share: 1, forMs: action.forMs } });
        return;
      case "rotate":
        this.#accounts.rotate(action.account);
        for (const replica of this.#replicas) replica?.rotate(this.#accounts.all);
        return;
      case "read": {
        const replica = this.#replica(step);
        if (replica === undefined) return;
        return this.#reads.read(replica, this.#principal(action.client), this.#accounts.nameOf(action.account));
      }
      case "listen":
      case "hop":
      case "sluggish":
      case "sockets":
      case "pushes":
        this.#streams.act(action);
        return;
      case "engine":
        this.#engines.suffer(action.fault, action.forMs);
        this.#tokens?.disturbed(action.fault, action.forMs);
        if (action.fault.startsWith("redis")) this.#switches?.lineSuffers(action.forMs);
        else {
          this.#issuer?.databaseSuffers(action.forMs);
          this.#switches?.databaseSuffers(action.forMs);
        }
        return;
      case "line":
        this.#suffer(action.faults, action.forMs);
    }
  }

  /** Whether the user of an account still has a Classic account. */
  #isClassic(account: AccountName): boolean {
    return this.#exchange.world.state.accounts.of(this.#accounts.uidOf(account)).mode === "classic";
  }

  #suffer(faults: LineFaults, forMs: number): void {
    this.#network.faults = faults;
    this.#switches?.lineSuffers(forMs);
    this.#time.at("workload", this.#time.now + forMs, () => {
      if (this.#network.faults === faults) this.#network.faults = NO_FAULTS;
    });
  }

  /** Takes a process out of service: what was asked of it is not answered. */
  #end({ replica }: Step): Replica | undefined {
    const place = replica % this.history.profile.replicas;
    const ended = this.#replicas[place];
    if (ended === undefined) return undefined;
    this.#replicas[place] = undefined;
    this.#switches?.ended(place);
    if (this.#operating === ended) this.#operating = undefined;
    this.#streams.lost(ended);
    for (const [step, asked] of this.#underWay) if (asked === ended) this.#underWay.delete(step);
    return ended;
  }

  /**
   * Starts a process again. A single gateway has its journal in a file, and its supervisor starts it once the former process has
   * ended, which is killed if that takes too long.
   */
  #again({ replica }: Step, downMs: number, settings?: StreamSettings, former?: Replica): void {
    const { replicas } = this.history.profile;
    const place = replica % replicas;
    const killedAt = this.#time.now + GRACE_MS;
    const start = (): void => {
      if (replicas === 1 && former?.isAlive === true) {
        if (this.#time.now < killedAt) {
          this.#time.at("workload", this.#time.now + SUPERVISED_MS, start);
          return;
        }
        former.kill();
      }
      if (this.#replicas[place] === undefined) this.#start(place, settings);
    };
    this.#time.at("workload", this.#time.now + downMs, start);
  }

  /** The replica that a step asks; undefined while it does not serve. */
  #replica({ replica }: Step): Replica | undefined {
    const found = this.#replicas[replica % this.history.profile.replicas];
    return found?.isServing === true ? found : undefined;
  }

  async #write(
    step: Step,
    operation: OperationName,
    { client, account }: { readonly client: string; readonly account: AccountName },
    input: Readonly<Record<string, unknown>>,
    clientOids: readonly string[] = [],
  ): Promise<Payload | undefined> {
    const replica = this.#replica(step);
    const principal = this.#clients.get(client as (typeof CLIENTS)[number]);
    if (replica === undefined || principal === undefined) return undefined;
    for (const clientOid of clientOids) this.#auditor.expect(clientOid, client);
    const named = { account: this.#accounts.nameOf(account), ...input };
    // Until a paused process gets it, the name may belong to another user.
    await replica.isRunning();
    const uid = this.#accounts.userOf(named.account)?.uid ?? this.#accounts.uidOf(account);
    const began = this.#time.now;
    const judge = (codes: readonly string[]): void => {
      if (codes.includes("FORBIDDEN")) this.#tokens?.forbidden(client, named.account, "trade", replica.place, began);
    };
    try {
      const { result } = (await replica.execute(principal, OPERATIONS[operation], { input: named })) as {
        readonly result: Payload;
      };
      const codes = result.userErrors.map(({ code }) => code);
      judge(codes);
      this.#count(`${step.action.kind} ${result.outcome}${codes.length === 0 ? "" : ` ${codes.join()}`}`);
      this.#trace(`${this.#time.now} step ${step.id} ${JSON.stringify(result)}`);
      const results = result.orders ?? [result];
      for (const [place, clientOid] of clientOids.entries()) {
        const { outcome = null, isUnjournaled } = results[place] ?? {};
        // What is not there, or not for a client, says nothing of what was sent before.
        const isHidden =
          codes.includes("BAD_USER_INPUT") &&
          (this.#accounts.userOf(named.account) === undefined ||
            this.#tokens?.mayBeHidden(client, named.account, replica.place) === true);
        if (outcome !== null)
          this.#auditor.ended(uid, clientOid, isHidden ? undefined : outcome, this.#isRepeated(step), isUnjournaled);
      }
      if (result.outcome === "ACCEPTED") {
        const changed = results.flatMap((one, place) => changedBy(ordersIn(input)?.[place] ?? input, one));
        this.#reads.confirmed(replica, named.account, changed);
        if (this.history.profile.happens.has("reads")) await this.#reads.read(replica, principal, named.account);
      }
      return result;
    } catch (error) {
      if (error instanceof AnswerErrors) {
        judge(error.codes);
        for (const clientOid of clientOids) this.#auditor.ended(uid, clientOid, undefined, this.#isRepeated(step));
      }
      throw error;
    }
  }

  #isRepeated({ id, action }: Step): boolean {
    return this.#repeated.has(id) || (action.kind === "placePlan" && this.#repeatedKeys.has(`p${action.key}`));
  }

  async #place(step: Step, action: Extract<Action, { kind: "place" | "dryRun" | "trigger" }>): Promise<void> {
    const isTrigger = action.kind === "trigger";
    const { market, price, input: order } = this.#orderInput(action.account, action.order);
    if (isTrigger && (!this.#isClassic(action.account) || market.category !== "SPOT")) return;
    const clientOid = isTrigger ? undefined : `s${step.id}`;
    const input = {
      ...order,
      ...(isTrigger ? { triggerPrice: price } : {}),
      ...(clientOid === undefined ? {} : { clientOid }),
      ...(action.kind === "dryRun" ? { dryRun: true } : {}),
    };
    const isSent = clientOid !== undefined && action.kind !== "dryRun";
    await this.#write(step, "placeOrder", action, this.#first(step, input), isSent ? [clientOid] : []);
  }

  async #placeSeveral(step: Step, action: Extract<Action, { kind: "placeSeveral" }>): Promise<void> {
    const clientOids = action.orders.map((_, place) => `s${step.id}x${place}`);
    const orders = action.orders.map((order, place) => ({
      ...this.#orderInput(action.account, order).input,
      clientOid: clientOids[place],
    }));
    await this.#write(step, "placeOrders", action, this.#first(step, { orders }), clientOids);
  }

  /** An order that is placed again, under the same key, has the same input. */
  #first({ id }: Step, input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const first = this.#inputs.get(id) ?? input;
    this.#inputs.set(id, first);
    return first;
  }

  /** An order as a client places it now. */
  #orderInput(name: AccountName, order: OrderTerms) {
    const { side, isMarket, isReduceOnly, posSide, marketPrice } = order;
    const uid = this.#accounts.uidOf(name);
    const isClassicMargin = order.market.category === "MARGIN" && this.#isClassic(name);
    const market = isClassicMargin ? SPOT : order.market;
    const { price, qty, quoteQty, last, grid } = priced(this.#exchange.world.state, { ...order, market });
    const isFutures = market.category.endsWith("FUTURES");
    const account = this.#exchange.world.state.accounts.of(uid);
    const isHedged = isFutures && account.holdMode(market.category as "USDT-FUTURES") === "hedge_mode";
    const spends = isMarket && !isFutures && side === "buy";
    const input = {
      ...{ category: enumOf(market.category), symbol: market.symbol, side: side.toUpperCase() },
      ...(spends ? { quoteQty } : { qty }),
      orderType: isMarket ? "MARKET" : "LIMIT",
      ...(isMarket ? {} : { price }),
      ...(marketPrice === undefined ? {} : { price: plain(grid.price(Math.max(1, Math.floor(grid.steps(last) * marketPrice)))) }),
      ...(isFutures && (isHedged || isReduceOnly) ? { posSide: posSide.toUpperCase() } : {}),
      ...(isFutures && isReduceOnly ? { reduceOnly: true } : {}),
    };
    return { market, price, input };
  }

  /** An open order of the client, of the account's user. */
  #picked({
    client,
    account,
    pick,
  }: {
    readonly client: string;
    readonly account: AccountName;
    readonly pick: number;
  }): Order | undefined {
    return newest(this.#auditor.open(this.#accounts.uidOf(account), client), pick);
  }

  async #modify(step: Step, action: Extract<Action, { kind: "modify" }>, order: Order): Promise<void> {
    const { category, symbol, side, orderId, quantity } = order;
    const { grid } = this.#exchange.world.state.markets.of(category, symbol).listing;
    const { price } = priced(this.#exchange.world.state, {
      market: { category, symbol } as OrderTerms["market"],
      side,
      notional: 1,
      distance: action.distance,
    });
    const qty = plain(grid.floored(quantity.times(String(action.factor))));
    const isNew = this.#isClassic(action.account);
    const newClientOid = isNew ? `s${step.id}` : undefined;
    const input = { category: enumOf(category), symbol, by: { orderId }, qty, price, ...(isNew ? { newClientOid } : {}) };
    await this.#write(step, "modifyOrder", action, input, newClientOid === undefined ? [] : [newClientOid]);
  }

  async #takeProfit(step: Step, action: Extract<Action, { kind: "takeProfit" }>): Promise<void> {
    const { state } = this.#exchange.world;
    const positions = [...state.positions.open(this.#accounts.uidOf(action.account))];
    const position = positions[action.pick % Math.max(1, positions.length)];
    if (position === undefined) return;
    const { category, symbol, side, size } = position;
    const away = side === "long" ? "sell" : "buy";
    const { price } = priced(this.#exchange.world.state, {
      market: { category, symbol } as OrderTerms["market"],
      side: away,
      notional: 1,
      distance: 0.01,
    });
    const clientOid = `s${step.id}`;
    const input = {
      category: enumOf(category),
      symbol,
      planType: "PROFIT_PLAN",
      posSide: side.toUpperCase(),
      triggerPrice: price,
      qty: plain(size),
      clientOid,
    };
    await this.#write(step, "placeTpslOrder", action, input, [clientOid]);
  }

  async #convert(step: Step, action: Extract<Action, { kind: "convert" }>): Promise<void> {
    const replica = this.#replica(step);
    const client = this.#clients.get(action.client);
    if (replica === undefined || client === undefined) return;
    const coins = { fromCoin: "USDT", toCoin: "BTC" };
    const asked = { account: this.#accounts.nameOf(action.account), ...coins, fromAmount: action.notional.toFixed(2) };
    const { account } = (await replica.execute(client, QUOTE, asked)) as {
      readonly account: { readonly convertQuote: { readonly traceId: string } | null } | null;
    };
    const quote = account?.convertQuote;
    if (quote === null || quote === undefined) return;
    this.#auditor.expect(quote.traceId, action.client);
    await this.#write(step, "convert", action, { ...coins, ...quote });
  }

  async #placePlan(step: Step, action: Extract<Action, { kind: "placePlan" }>): Promise<void> {
    const { key, order, reachedIn } = action;
    const { market, price, input } = this.#orderInput(action.account, { ...order, isMarket: false });
    if (this.#isClassic(action.account) && !market.category.endsWith("FUTURES")) return;
    const { orderType: _, price: __, ...rest } = input as Readonly<Record<string, unknown>>;
    const trigger = {
      triggerPrice: reachedPrice(this.#exchange.world.state, market, reachedIn),
      ...(order.isMarket ? {} : { limitPrice: price }),
    };
    // In hedge mode it opens.
    const posSide = "posSide" in rest ? { posSide: order.side === "buy" ? "LONG" : "SHORT" } : {};
    const clientOid = `p${key}`;
    const first = this.#keyed.get(clientOid) ?? { ...rest, ...posSide, terms: { trigger }, clientOid };
    this.#keyed.set(clientOid, first);
    await this.#write(step, "placePlanOrder", action, first, [clientOid]);
  }

  #pickedPlan({ client, account, pick }: Pick<Extract<Action, { kind: "cancelPlan" }>, "client" | "account" | "pick">) {
    const plans = this.#auditor.plans(this.#accounts.uidOf(account), client);
    return plans[pick % Math.max(1, plans.length)];
  }

  async #modifyPlan(step: Step, action: Extract<Action, { kind: "modifyPlan" }>): Promise<void> {
    const plan = this.#pickedPlan(action);
    if (plan === undefined || plan.action.kind !== "order" || plan.quantity === undefined) return;
    const { planId, category, symbol, quantity } = plan;
    const { state } = this.#exchange.world;
    const triggerPrice = reachedPrice(state, { category, symbol } as OrderTerms["market"], action.reachedIn);
    const qty = plain(state.markets.of(category, symbol).listing.grid.floored(quantity.times(String(action.factor))));
    const limit = plan.action.request.price;
    const terms = { trigger: { triggerPrice, ...(limit === undefined ? {} : { limitPrice: plain(limit) }) } };
    const input = { category: enumOf(category), symbol, by: { orderId: planId }, qty, terms };
    if (this.#replica(step) === undefined) return;
    const change = this.#planTerms.asked(plan, triggerPrice, qty);
    const result = await this.#write(step, "modifyPlanOrder", action, input);
    if (result !== undefined) this.#planTerms.answered(change, result.outcome);
  }

  async #arm(step: Step, action: Extract<Action, { kind: "arm" }>): Promise<void> {
    const { seconds } = action;
    const place = step.replica % this.history.profile.replicas;
    if (this.#replica(step) === undefined) return;
    this.#switches?.asked();
    let outcome: Payload["outcome"] | undefined = null;
    try {
      const result =
        seconds === 0
          ? await this.#write(step, "disarmDeadMansSwitch", action, {})
          : await this.#write(step, "armDeadMansSwitch", action, { seconds });
      outcome = result?.outcome;
    } catch (error) {
      if (error instanceof AnswerErrors) outcome = undefined;
      throw error;
    } finally {
      this.#switches?.answered(place, seconds, outcome);
    }
  }

  /** Nobody keeps a switch alive any more. One of several gateways without Redis may be refused for the calls of another. */
  #disarm(): void {
    const action = { kind: "arm", client: CLIENTS[0], account: "main", seconds: 0 } as const;
    const step = { id: this.history.steps.length, at: 0, replica: 0, action };
    for (let afterMs = 0; afterMs < DISARMING_MS; afterMs += 1_300)
      this.#time.at("workload", this.#time.now + afterMs, () => void this.#attempt(step));
  }

  async #set(step: Step, { client, key }: Extract<Action, { kind: "setting" }>): Promise<void> {
    const { account, kind } = settingOf(key);
    const settings = this.#settings;
    const gateway = this.#replica(step);
    if (settings === undefined || gateway === undefined) return;
    settings.asked(key);
    let outcome: Payload["outcome"] | undefined = null;
    try {
      const operation = kind === "leverage" ? "setLeverage" : "adjustPositionMargin";
      const result = await this.#write(step, operation, { client, account }, settings.inputOf(key));
      outcome = result?.outcome;
    } catch (error) {
      if (error instanceof AnswerErrors) outcome = undefined;
      throw error;
    } finally {
      settings.answered(key, outcome);
    }
    if (outcome === "ACCEPTED") settings.confirmed(gateway, key);
    if (gateway.isServing) await settings.read(gateway, this.#principal(client), this.#accounts.nameOf(account), key);
  }

  async #withdraw(step: Step, { client, terms }: Extract<Action, { kind: "withdraw" }>): Promise<void> {
    const replica = this.#replica(step);
    if (replica === undefined) return;
    this.#withdrawals.asked(terms);
    try {
      const input = this.#withdrawals.inputOf(terms);
      const { result } = (await replica.execute(this.#principal(client), OPERATIONS.withdrawFromSubAccount, { input })) as {
        readonly result: Payload;
      };
      this.#count(`withdraw ${result.outcome}${result.userErrors.map(({ code }) => ` ${code}`).join("")}`);
      this.#trace(`${this.#time.now} step ${step.id} ${JSON.stringify(result)}`);
      this.#withdrawals.answered(terms, result.outcome);
    } catch (error) {
      if (error instanceof AnswerErrors) this.#withdrawals.answered(terms, undefined);
      throw error;
    }
  }

  /** One operator: a halt or its end begins when the one before is over. */
  async #operate(
    operation: "haltTrading" | "resumeTrading",
    step: Step,
    input: Readonly<Record<string, unknown>>,
  ): Promise<Payload | undefined> {
    const replica = this.#replica(step);
    if (replica === undefined || this.#operating !== undefined) return undefined;
    this.#operating = replica;
    try {
      const { result } = (await replica.execute(this.#operator, OPERATIONS[operation], { input })) as {
        readonly result: Payload;
      };
      this.#count(`${step.action.kind} ${result.outcome}`);
      this.#trace(`${this.#time.now} step ${step.id} ${JSON.stringify(result)}`);
      return result;
    } finally {
      if (this.#operating === replica) this.#operating = undefined;
    }
  }

  async #halt(step: Step, { account, cancelOpen }: Extract<Action, { kind: "halt" }>): Promise<void> {
    const uids = account === null ? [UIDS.main, UIDS.classic, UIDS[BROKER]] : [this.#accounts.uidOf(account)];
    const requestedAt = this.#time.now;
    const whose = account === null ? { allAccounts: true } : { account: this.#accounts.nameOf(account) };
    const result = await this.#operate("haltTrading", step, { ...whose, cancelOpen });
    if (result?.outcome !== "ACCEPTED" || result.isDurable !== true) return;
    this.#auditor.halted(uids, requestedAt, cancelOpen ? result.cancelFailures?.map(({ orderId }) => orderId) : undefined);
  }

  async #resume(step: Step, { account }: Extract<Action, { kind: "resume" }>): Promise<void> {
    const uids = account === null ? [UIDS.main, UIDS.classic, UIDS[BROKER]] : [this.#accounts.uidOf(account)];
    if (this.#operating === undefined) this.#auditor.resumed(uids);
    await this.#operate(
      "resumeTrading",
      step,
      account === null ? { allAccounts: true } : { account: this.#accounts.nameOf(account) },
    );
  }

  #count(what: string): void {
    this.#outcomes.set(what, (this.#outcomes.get(what) ?? 0) + 1);
  }
}

/** The orders that an accepted write has placed or changed. */
const changedBy = (input: Readonly<Record<string, unknown>>, { orderId }: Payload): readonly string[] =>
  [orderId, input.orderId, (input.by as { readonly orderId?: unknown } | undefined)?.orderId].filter(
    (id) => typeof id === "string",
  );

const ordersIn = ({ orders }: Readonly<Record<string, unknown>>) =>
  orders as readonly Readonly<Record<string, unknown>>[] | undefined;

/** In place of margin, which a Classic account does not have. */
const SPOT = { category: "SPOT", symbol: "ETHUSDT" } as const;

const enumOf = (category: string): string => category.replace("-", "_");
