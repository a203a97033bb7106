import { ManualClock } from "@exchange-graph/contract/clock";
import { type Sandbox, type SandboxOptions, startSandbox } from "@exchange-graph/sandbox";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox/credentials";
import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import {
  type DocumentNode,
  defaultFieldResolver,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  isObjectType,
  parse,
  validate,
} from "graphql";
import type { DataSource } from "../../../src/datasources/index.js";
import type { TracedRead } from "../../../src/datasources/reads/reader/trace.js";
import type { WithdrawalRule } from "../../../src/datasources/writes/rules/withdrawalRules.js";
import { ANYONE, buildGraph, createContext } from "../../../src/resolvers/index.js";
import { skipping } from "../../support/eventually.js";
import { exchangeOver, sandboxAccount } from "../../support/exchangeOver.js";
import { WideScheduler } from "../../support/wideScheduler.js";

/** A worker reloads this module for each of its files but keeps globals. */
const worker: typeof globalThis & { keptGraph?: GraphQLSchema } = globalThis;
worker.keptGraph ??= withKeptPromises(buildGraph());
const graph = worker.keptGraph;

/** Makes a null without an error an error where the schema promises that there is none (`@semanticNonNull`). */
function withKeptPromises(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve = defaultFieldResolver, extensions } = field;
      if (extensions.semanticNonNull?.includes(0) !== true) continue;
      field.resolve = async (...asked) => {
        const answer: unknown = await resolve(...asked);
        if (answer === null || answer === undefined) throw new Error(`${type.name}.${field.name} is null without an error`);
        return answer;
      };
    }
  }
  return schema;
}

// biome-ignore lint/suspicious/noExplicitAny: the fields depend on each test's query, and its assertions check them
export interface Result<D = any> {
  readonly data: D;
  readonly errors: readonly GraphQLError[];
  /** Upstream calls of this operation, by the endpoint's contract name, in order. */
  readonly calls: readonly string[];
  readonly reads: readonly TracedRead[];
}

export interface Page {
  readonly nodes: readonly Readonly<Record<string, string>>[];
  readonly edges?: readonly { readonly cursor: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage?: boolean; readonly endCursor: string | null };
}

export interface LiveGraph {
  readonly sandbox: Sandbox;
  readonly exchange: DataSource;
  readonly clock: ManualClock;
  /** The exchange's time, which advances only on request, Unix ms. */
  now(): number;
  /** Advances the clock by a minute, so that caches expire and budgets refill, and resets the count of calls. */
  nextMinute(): void;
  /** Waits for a promise that depends on the clock, and advances the clock. */
  while<T>(waiting: Promise<T>): Promise<T>;
  /** Executes one operation as a separate request. Throws if the document is invalid. */
  run(document: string, variables?: Readonly<Record<string, unknown>>): Promise<Result>;
  /** Like `run`, for an operation that has no errors: throws them. */
  answer(document: string, variables?: Readonly<Record<string, unknown>>): Promise<Omit<Result, "errors">>;
  /** The pages of the connection that `connectionIn` finds in each answer, a minute apart. `$after` is the cursor. */
  pages(
    document: string,
    connectionIn: (data: Result["data"]) => Page,
    variables?: Readonly<Record<string, unknown>>,
  ): Promise<readonly Page[]>;
  /** Like `run`, for a typed document. */
  ask<D, V extends Readonly<Record<string, unknown>>>(document: TypedDocumentNode<D, V>, variables: V): Promise<Result<D>>;
  close(): Promise<void>;
}

const NAMES = ["main", "classic", "broker"];

const accounts = SANDBOX_CREDENTIALS.map((credential, at) => sandboxAccount(NAMES[at] ?? credential.key, credential));

/** A 31st in a leap year: some months before it are shorter. */
const START = Date.UTC(2028, 4, 31, 12);

/** The graph over a sandbox, with signed HTTP calls. */
export async function startLiveGraph({
  hasLimits = true,
  withdrawals = "anywhere",
  ...options
}: Pick<SandboxOptions, "hasPast"> & {
  readonly hasLimits?: boolean;
  readonly withdrawals?: WithdrawalRule;
} = {}): Promise<LiveGraph> {
  const clock = new ManualClock(START);
  const sandbox = await startSandbox({ signedQuery: "decoded", clock, enforceLimits: hasLimits, ...options });
  const exchange = exchangeOver(new URL(sandbox.url), {
    ...{ accounts, random: () => 0.5, withdrawals, clock },
    ...(hasLimits ? {} : { scheduler: new WideScheduler(clock) }),
  });
  const nextMinute = (): void => {
    clock.advance(60_000);
    sandbox.calls.clear();
  };
  const run: LiveGraph["run"] = (document, variables) => executed(exchange, parse(document), variables);
  const answer: LiveGraph["answer"] = async (document, variables) => {
    const { errors, ...whole } = await run(document, variables);
    if (errors.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join("\n"));
    return whole;
  };
  return {
    sandbox,
    exchange,
    clock,
    now: () => clock.now(),
    nextMinute,
    while: (waiting) => skipping(clock, 5, waiting),
    run,
    answer,
    async pages(document, connectionIn, variables) {
      const pages: Page[] = [];
      for (let after: string | null = null; ; nextMinute()) {
        const { data } = await skipping(clock, 5, answer(document, { ...variables, after }));
        const page = connectionIn(data);
        pages.push(page);
        if (!page.pageInfo.hasNextPage) return pages;
        after = page.pageInfo.endCursor;
      }
    },
    ask: (document, variables) => executed(exchange, document, variables),
    async close() {
      await exchange.close();
      await sandbox.close();
    },
  };
}

async function executed(
  exchange: DataSource,
  document: DocumentNode,
  variableValues: Readonly<Record<string, unknown>> | undefined,
): Promise<Result> {
  const mistakes = validate(graph, document);
  if (mistakes.length > 0) throw new Error(mistakes.map(({ message }) => message).join("\n"));
  const contextValue = createContext(exchange, ANYONE);
  const { data, errors = [] } = await execute({ schema: graph, document, contextValue, variableValues });
  const { reads } = contextValue.reads.trace;
  return { data, errors, reads, calls: reads.filter(({ source }) => source === "REST").map(({ endpoint }) => endpoint) };
}
