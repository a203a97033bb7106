import { type Runtime, Session } from "node:inspector";
import { LRUCache } from "lru-cache";

/** Where values pass between the simulation and the inspector. */
const SLOT = "simulated kept objects";

/** A list, map, set or cache in a field of an object. */
interface Kept {
  readonly size: number;
  /** What a cache may weigh, and what it weighs; undefined of others. */
  readonly weight: { readonly most: number; readonly is: number } | undefined;
}

/** What the objects of the product keep: the fields of each class that hold something. */
export type KeptByField = ReadonlyMap<string, readonly Kept[]>;

const ROOT = new URL("../..", import.meta.url).pathname;

/** Whether a file is one of the gateway's or of its replicas' code. Under Vitest that is compiled elsewhere. */
const isOfProduct = (url: string): boolean =>
  ["src/", "dist/src/", "packages/replicas/"].some((folder) => url.replace(/^file:\/\//, "").startsWith(`${ROOT}${folder}`));

/**
 * Reads the lists, maps, sets and caches in the fields of every object of the product that is still reachable, private fields
 * included, by way of the inspector: the product counts nothing for it. What closures hold is not among it. Takes a second.
 */
export function keptByProduct(): KeptByField {
  const inspected = new Inspected();
  try {
    const kept = new Map<string, Kept[]>();
    for (const [constructor, instances] of inspected.instances()) {
      if (!isOfProduct(inspected.urlOf(constructor))) continue;
      for (const instance of instances)
        for (const [field, one] of inspected.fieldsOf(instance)) {
          if (one.size === 0) continue;
          const name = `${constructor.name}.${field}`;
          kept.set(name, [...(kept.get(name) ?? []), one]);
        }
    }
    if (kept.size === 0) throw new Error(`the heap has no object of a class in ${ROOT}`);
    return kept;
  } finally {
    inspected.close();
  }
}

const sum = (kept: readonly Kept[] = []): number => kept.reduce((all, { size }) => all + size, 0);

type Bound = number | "one per write";

/** Fields that may hold something when nobody is there, each object of the class at most so much. Every other one is empty. */
const KEPT: ReadonlyMap<string, Bound> = new Map<string, Bound>([
  // By what is configured: clients, accounts and their users, kinds of calls, limits, dependencies, replicas.
  ...[
    ...["AccountModes.#modes", "Accounts.#all", "Accounts.#listeners", "Announcements.#listeners"],
    ...["AnswerCounts.#counts", "CostPlan.#fields", "CounterLease.#peaks", "DatabaseConnections.#open"],
    ...["DayFigures.#days", "ExchangeClock.#samples", "FairQueue.#withAtLeast", "Halts.#halts", "Halts.#stored"],
    ...[
      "KeyChecks.#checks",
      "KnownUsers.#listeners",
      "MemoryTokens.#listeners",
      "MemoryTokens.#revoked",
      "RedisTokens.#listeners",
      "RedisTokens.#revoked",
      "LimitGate.#breaches",
      "LimitsInForce.#bound",
      "LimitsInForce.#limited",
      "Neighbours.#counters",
      "Neighbours.#suspectedAt",
    ],
    ...["Readiness.#conditions", "Readiness.dependencies"],
    ...["Reader.#onInvalidated", "Recovery.#met", "Recovery.#timers", "RedisCache.#listeners", "RedisEngine.#channels"],
    ...[
      "RedisEngine.#listeners",
      "RedisEngine.#subjects",
      "Refresher.#queues",
      "Rights.#accounts",
      "Rights.#visible",
      "Seen.#counts",
    ],
    ...[
      "SharedEntries.leases",
      "SharedEntries.rights",
      "SharedEntries.users",
      "HaltCancels.#retryAt",
      "SwitchKeeper.#busy",
      "SwitchKeeper.#kept",
      "Tokens.#byHash",
      "WatchedFiles.#open",
      "WaitingLine.#rows",
      "AnyField.nodes",
    ],
  ].map((field): [string, Bound] => [field, 12]),
  // By endpoint and account, and the slots of a rate limit.
  ...[
    ...["Buckets.#all", "Budget.#frees", "Database.#prepared", "ExchangeClient.#readers", "LastTimes.#latest"],
    ...["RedisRateBudgets.#leases", "Seen.#recent", "UpstreamReads.#breakers"],
  ].map((field): [string, Bound] => [field, 100]),
  // By the names of accounts, and of 1,000 that were removed.
  ["Accounts.#live", 1_012],
  // The journal, and what counts for limits: days and open orders.
  ...[
    ...["OutcomeReconciler.#following", "OwnEntries.#fences", "PlacedOrders.#owners", "PlacedOrders.#triggers"],
    "Recovery.#followed",
    ...["SharedEntries.byKey", "SharedEntries.entries", "SharedEntries.owners", "Trace.#standings", "Trace.reads", "Usage.#held"],
  ].map((field): [string, Bound] => [field, "one per write"]),
]);

/** By how many objects with a field the states of all live accounts may differ between two looks. */
const OF_LIVE_ACCOUNTS = 12;

/**
 * Why it is too much that the product keeps this after everybody has left, and had kept that a quiet minute ago. `writes`: how many
 * writes there can have been. `isKeeping`: streams are kept for queries that may come, with their state.
 */
export function whyTooMuch(before: KeptByField, after: KeptByField, writes: number, isKeeping: boolean): readonly string[] {
  return [...after].flatMap(([field, kept]) => {
    const bound = KEPT.get(field) ?? 0;
    // What has a bound of its own comes and goes, such as the slots of a rate limit; so do answers while accounts are kept live.
    const mayGrow = typeof bound === "number" && (bound > 0 || (isKeeping && kept.some(({ weight }) => weight !== undefined)));
    // An account that is kept live has up to three states at a time: shown, tried, and to be read again.
    const comesAndGoes = isKeeping ? OF_LIVE_ACCOUNTS * (sum(kept) / kept.length) : 0;
    const grown = mayGrow ? 0 : Math.max(0, sum(kept) - sum(before.get(field)) - comesAndGoes);
    const most = bound === "one per write" ? writes : bound;
    const isLarge = !isKeeping && kept.some(({ size, weight }) => weight === undefined && size > most);
    const heavy = kept.find(({ weight }) => weight !== undefined && weight.is > weight.most);
    return [
      ...(grown > 0 ? [`${field} has ${grown} more entries than a quiet minute ago`] : []),
      ...(isLarge ? [`${field} has ${sum(kept)} entries in ${kept.length} objects for nobody`] : []),
      ...(heavy === undefined ? [] : [`${field} is heavier than its ${heavy.weight?.most}`]),
    ];
  });
}

/** The types of Node have no private fields. */
interface Properties extends Runtime.GetPropertiesReturnType {
  readonly privateProperties?: readonly { readonly name: string; readonly value?: Runtime.RemoteObject }[];
}

/** The heap of this process. */
class Inspected {
  readonly #session = new Session();
  readonly #urls = new Map<string, string>();

  constructor() {
    this.#session.connect();
    this.#session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => this.#urls.set(scriptId, url));
    answered<unknown>((done) => this.#session.post("Debugger.enable", (error) => done(error, undefined)));
    answered<unknown>((done) => this.#session.post("Debugger.disable", (error) => done(error, undefined)));
  }

  close(): void {
    Reflect.deleteProperty(globalThis, SLOT);
    this.#session.disconnect();
  }

  /** All objects of classes that are no built-in ones, by their constructor. */
  instances(): ReadonlyMap<NewableFunction, readonly object[]> {
    const prototypeObjectId = this.#idOf(Object.prototype);
    const { objects } = answered<Runtime.QueryObjectsReturnType>((done) =>
      this.#session.post("Runtime.queryObjects", { prototypeObjectId }, done),
    );
    const { objectId } = objects;
    if (objectId === undefined) throw new Error("the inspector gives no objects");
    const functionDeclaration = `function () { globalThis[${JSON.stringify(SLOT)}] = this; }`;
    answered<Runtime.CallFunctionOnReturnType>((done) =>
      this.#session.post("Runtime.callFunctionOn", { objectId, functionDeclaration }, done),
    );
    const found = new Map<NewableFunction, object[]>();
    for (const one of Reflect.get(globalThis, SLOT) as readonly object[]) {
      const constructor: unknown = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(one) ?? {}, "constructor")?.value;
      if (typeof constructor !== "function" || BUILT_IN.has(constructor)) continue;
      const instances = found.get(constructor) ?? [];
      instances.push(one);
      found.set(constructor, instances);
    }
    return found;
  }

  /** The file of a class; empty for a built-in one. */
  urlOf(constructor: NewableFunction): string {
    const { internalProperties = [] } = this.#propertiesOf(constructor);
    const place: unknown = internalProperties.find(({ name }) => name === "[[FunctionLocation]]")?.value?.value;
    const id: unknown = typeof place === "object" && place !== null ? Reflect.get(place, "scriptId") : undefined;
    return typeof id === "string" ? (this.#urls.get(id) ?? "") : "";
  }

  fieldsOf(one: object): readonly (readonly [field: string, kept: Kept])[] {
    const { result, privateProperties = [] } = this.#propertiesOf(one);
    return [...result, ...privateProperties].flatMap(({ name, value }) => {
      if (value?.className === LRUCache.name && value.objectId !== undefined) return [[name, this.#cache(value.objectId)]];
      if (value === undefined || !["map", "set", "array"].includes(value.subtype ?? "")) return [];
      const size = /\((\d+)\)$/.exec(value.description ?? "")?.[1] ?? "0";
      return [[name, { size: Number.parseInt(size, 10), weight: undefined }]];
    });
  }

  #cache(objectId: string): Kept {
    const functionDeclaration = "function () { return [this.size, this.max, this.maxSize, this.calculatedSize]; }";
    const { result } = answered<Runtime.CallFunctionOnReturnType>((done) =>
      this.#session.post("Runtime.callFunctionOn", { objectId, functionDeclaration, returnByValue: true }, done),
    );
    const [size = 0, max = 0, maxSize = 0, weight = 0] = result.value as readonly number[];
    return { size, weight: maxSize > 0 ? { most: maxSize, is: weight } : { most: max, is: size } };
  }

  #propertiesOf(value: object): Properties {
    const objectId = this.#idOf(value);
    return answered<Properties>((done) => this.#session.post("Runtime.getProperties", { objectId, ownProperties: true }, done));
  }

  #idOf(value: object): string {
    Reflect.set(globalThis, SLOT, value);
    const expression = `globalThis[${JSON.stringify(SLOT)}]`;
    const { result } = answered<Runtime.EvaluateReturnType>((done) =>
      this.#session.post("Runtime.evaluate", { expression }, done),
    );
    if (result.objectId === undefined) throw new Error("the inspector gives no object");
    return result.objectId;
  }
}

const BUILT_IN: ReadonlySet<unknown> = new Set([Object, Array, Function, Map, Set, Promise]);

/** The answer of the inspector, which comes before `ask` returns. Throws its error. */
function answered<T>(ask: (done: (error: Error | null, answer: T) => void) => void): T {
  let given: { readonly error: Error | null; readonly answer: T } | undefined;
  ask((error, answer) => {
    given = { error, answer };
  });
  if (given === undefined) throw new Error("the inspector has not answered");
  if (given.error !== null) throw given.error;
  return given.answer;
}
