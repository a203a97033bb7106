import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Grants } from "../../src/resolvers/index.js";
import { writeGlobalId } from "../../src/resolvers/nodes/globalId.js";
import { NODE_TYPES } from "../../src/resolvers/nodes/nodeTypes.js";
import { isAccountBound, SCOPE_NAMES, type Scope } from "../../src/schema/scopes.js";
import { callsUnderWay } from "../support/callsUnderWay.js";
import { eventually, settled } from "../support/eventually.js";
import { graph } from "../support/graph.js";
import { type Askable, askablesOf } from "./support/askables.js";
import { type GuardedGateway, guardedGateway } from "./support/guardedGateway.js";
import { type Asking, type Outcome, TRANSPORTS, type Transport } from "./support/transports.js";

/** Keys that a record of each type could have, without the account's name. */
const KEYS: Readonly<Record<string, readonly (string | number | null)[]>> = {
  Account: [],
  Balance: ["BTC"],
  ClosedLoan: ["1"],
  Coin: ["BTC"],
  ConvertCurrency: ["BTC"],
  ConvertRecord: ["1", 1],
  Deposit: ["1"],
  Fill: ["SPOT", "1", "1"],
  FinancialRecord: ["SPOT", null, "1", null],
  FundingBalance: ["BTC"],
  FuturesAccount: ["USDT-FUTURES", "USDT"],
  HistoricalPosition: ["USDT_FUTURES", "BTCUSDT", "1", 1, 1],
  Instrument: ["SPOT", "BTCUSDT"],
  JournalEntry: ["1", "1"],
  LoanOrder: ["1"],
  LoanReduction: ["1", 1, "1"],
  LoanRepayment: ["1", 1, "1"],
  MarginPair: ["BTCUSDT"],
  Order: ["SPOT", "BTCUSDT", "1"],
  PlanOrder: ["USDT-FUTURES", "BTCUSDT", "1"],
  Position: ["USDT_FUTURES", "BTCUSDT", "USDT", "LONG"],
  SavingsHolding: ["fixed", "1", "1"],
  SavingsProduct: ["1"],
  SavingsRecord: ["fixed", "1", 1],
  SharkFinOffer: ["BTC", "1"],
  SharkFinRecord: ["interest", "1", 1],
  SharkFinProduct: ["1", "BTC", null, null],
  SpotSymbol: ["BTCUSDT"],
  SubAccount: ["1"],
  SubAccountFuturesAssets: ["USDT-FUTURES", "1"],
  SubAccountWithdrawal: ["1"],
  SubOrder: ["SPOT", "BTCUSDT", "1", "1"],
  Ticker: ["SPOT", "BTCUSDT"],
  Trade: ["SPOT", "BTCUSDT", "1"],
  Transfer: ["USDT", "1", null, null, 1],
  Withdrawal: ["1"],
};

interface Cell extends Askable {
  variables(account: string): Readonly<Record<string, unknown>>;
}

const NODES = ["query($id: ID!) { node(id: $id) { __typename } }", "query($id: ID!) { nodes(ids: [$id]) { __typename } }"];

const CELLS: readonly Cell[] = [
  ...askablesOf(graph).map((askable) => ({
    ...askable,
    variables: (account: string) => (askable.isAboutAccount ? { account } : {}),
  })),
  // The scope that these two require depends on the requested type.
  ...[...NODE_TYPES].flatMap(([type, { scope }]) =>
    NODES.map((document): Cell => {
      const isAboutAccount = isAccountBound(scope);
      const id = (account: string) => writeGlobalId([type, ...(isAboutAccount ? [account] : []), ...(KEYS[type] ?? [])]);
      const variables = (account: string) => ({ id: id(account) });
      return {
        name: `${document.slice(19, 24)} of ${type}`,
        kind: "query",
        document,
        scopes: [scope],
        isAboutAccount,
        variables,
      };
    }),
  ),
];

const onEach = (scopes: readonly Scope[], accounts: readonly string[]): Grants =>
  Object.fromEntries(scopes.map((scope) => [scope, isAccountBound(scope) ? accounts : "*"]));

/** Every scope for `main`, and every scope but this one for `classic`. */
const allBut = (scope: Scope): Grants =>
  Object.fromEntries(
    SCOPE_NAMES.map((one) => [one, isAccountBound(one) ? ["main", ...(one === scope ? [] : ["classic"])] : "*"]),
  );

let gateway: GuardedGateway;
const only = new Map<Scope, string>();
const lacking = new Map<Scope, string>();
beforeAll(async () => {
  gateway = await guardedGateway();
  for (const scope of SCOPE_NAMES) {
    only.set(scope, await gateway.token(`only-${scope.replace(":", ".")}`, onEach([scope], ["main"])));
    lacking.set(scope, await gateway.token(`lacks-${scope.replace(":", ".")}`, allBut(scope)));
  }
});
afterAll(() => gateway.close());

/** Operations in progress at the same time: fewer than a socket's limit. */
const AT_ONCE = 40;

/** Runs all operations; the outcomes are in the order of `cells`. */
async function askAll(asking: Asking, cells: readonly Cell[], account: string): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const { stackTraceLimit } = Error;
  // The stack traces of thousands of errors are not needed and take time to build.
  Error.stackTraceLimit = 0;
  try {
    for (let at = 0; at < cells.length; at += AT_ONCE)
      outcomes.push(
        ...(await Promise.all(cells.slice(at, at + AT_ONCE).map((cell) => asking.ask(cell.document, cell.variables(account))))),
      );
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return outcomes;
}

/** Runs a test on one transport with one token. */
async function withTransport(
  transport: Transport,
  token: string | undefined,
  test: (asking: Asking) => Promise<void>,
): Promise<void> {
  const asking = transport.open(gateway.url, token ?? "");
  try {
    await test(asking);
  } finally {
    await asking.close();
  }
}

const described = (cell: Cell, { text }: Outcome): string => `${cell.name}: ${text}`;

/** What the exchange has been asked for, once the calls of operations before have ended. */
async function askedBefore(): Promise<number> {
  await settled();
  await eventually(() => callsUnderWay() === 0);
  return gateway.asked();
}

/** Expects FORBIDDEN with the required scope that the token lacks, for every operation, without an upstream call. */
async function expectRefused(asking: Asking, cells: readonly Cell[], account: string, isLacking: (scope: Scope) => boolean) {
  const before = await askedBefore();
  const outcomes = await askAll(asking, cells, account);
  const wrong = cells.flatMap((cell, at) => {
    const outcome = outcomes[at];
    const isRight =
      outcome?.codes.length === 1 && outcome.codes[0] === "FORBIDDEN" && outcome.scope === cell.scopes.find(isLacking);
    return isRight || outcome === undefined ? [] : [described(cell, outcome)];
  });
  expect(wrong).toEqual([]);
  expect(gateway.asked()).toBe(before);
}

/** Expects that no operation is refused. Other errors are allowed. */
async function expectAllowed(asking: Asking, cells: readonly Cell[], account: string) {
  const outcomes = await askAll(asking, cells, account);
  const wrong = cells.flatMap((cell, at) => {
    const outcome = outcomes[at];
    const isRefused = outcome === undefined || outcome.codes.some((code) => /FORBIDDEN|UNAUTHENTICATED|RATE_LIMITED/.test(code));
    return isRefused && outcome !== undefined ? [described(cell, outcome)] : [];
  });
  expect(wrong).toEqual([]);
}

/** Expects the same response as for an account that does not exist, without an upstream call. */
async function expectNothingThere(asking: Asking, cells: readonly Cell[]) {
  const before = await askedBefore();
  const foreign = await askAll(asking, cells, "classic");
  const nowhere = await askAll(asking, cells, "nowhere");
  expect(foreign.map(({ text }) => text)).toEqual(nowhere.map(({ text }) => text));
  expect(foreign.flatMap(({ codes }) => codes)).not.toContain("FORBIDDEN");
  expect(gateway.asked()).toBe(before);
}

/**
 * Fields are checked by the engine, whatever the transport: the first transport is asked for all of them, each of the others for a
 * twelfth of its own and for every subscription.
 */
describe.each(TRANSPORTS.map((transport, place) => ({ ...transport, place })))("asked $name", ({ place, ...transport }) => {
  const cells = CELLS.filter(({ kind }) => transport.carries.includes(kind)).filter(
    ({ kind }, at) => place === 0 || kind === "subscription" || at % 12 === place,
  );
  const about = cells.filter(({ isAboutAccount }) => isAboutAccount);

  describe.each(SCOPE_NAMES)("with the scope %s for one account alone", (scope) => {
    const within = (cell: Cell) => cell.scopes.every((one) => one === scope);

    it("everything that requires another scope is refused, for any account", () =>
      withTransport(transport, only.get(scope), async (asking) => {
        await expectRefused(
          asking,
          cells.filter((cell) => !within(cell)),
          "main",
          (one) => one !== scope,
        );
        await expectRefused(
          asking,
          about.filter((cell) => !within(cell)),
          "classic",
          (one) => one !== scope,
        );
      }));

    it("everything else is allowed", () =>
      withTransport(transport, only.get(scope), (asking) => expectAllowed(asking, cells.filter(within), "main")));

    it("another account looks like one that does not exist", () =>
      withTransport(transport, only.get(scope), (asking) => expectNothingThere(asking, about.filter(within))));
  });

  it.each(SCOPE_NAMES.filter(isAccountBound))(
    "without %s for an account with all other scopes, everything that requires it is refused",
    (scope) =>
      withTransport(transport, lacking.get(scope), async (asking) => {
        const needs = ({ scopes }: Cell) => scopes.includes(scope);
        await expectRefused(asking, about.filter(needs), "classic", (one) => one === scope);
        await expectAllowed(
          asking,
          about.filter((cell) => !needs(cell)),
          "classic",
        );
      }),
  );
});

describe("the matrix", () => {
  it("holds every root field and every field of an account", () => {
    const names = new Set(CELLS.map(({ name }) => name));
    const fields = (type: { getFields(): Readonly<Record<string, { readonly resolve?: unknown }>> } | null | undefined) =>
      Object.entries(type?.getFields() ?? {}).flatMap(([name, { resolve }]) => (resolve === undefined ? [] : [name]));
    const account = graph.getType("Account");
    if (account === undefined || !("getFields" in account)) throw new Error("no accounts");
    const wanted = [
      ...fields(graph.getQueryType()).map((name) => `Query.${name}`),
      ...fields(graph.getMutationType()).map((name) => `Mutation.${name}`),
      ...fields(graph.getSubscriptionType()).map((name) => `Subscription.${name}`),
      ...Object.entries(account.getFields()).flatMap(([name, field]) =>
        "resolve" in field && field.resolve !== undefined ? [`Query.account.${name}`] : [],
      ),
    ];
    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
    expect(wanted.length).toBeGreaterThan(60);
  });

  it("contains a query for every type of node", () => {
    expect(Object.keys(KEYS).sort()).toEqual([...NODE_TYPES.keys()].sort());
  });

  it("contains fields that require each scope, and fields that require none", () => {
    const needed = new Set(CELLS.flatMap(({ scopes }) => scopes));
    expect([...needed].sort()).toEqual([...SCOPE_NAMES].sort());
    expect(CELLS.filter(({ scopes }) => scopes.length === 0).map(({ name }) => name)).toEqual([
      "Query.viewer",
      "Query.node",
      "Query.nodes",
    ]);
  });
});
