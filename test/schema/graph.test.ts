import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  isWrappingType,
  validateSchema,
} from "graphql";
import { describe, expect, it } from "vitest";
import { FAULTS } from "../../src/datasources/index.js";
import { graph } from "../support/graph.js";

const types = Object.values(graph.getTypeMap()).filter((type) => !type.name.startsWith("__") && !isSpecifiedScalarType(type));

interface Described {
  readonly where: string;
  readonly description: string | null | undefined;
}

function* membersOf(type: GraphQLNamedType): Generator<Described> {
  yield { where: type.name, description: type.description };
  if (isEnumType(type))
    for (const value of type.getValues()) yield { where: `${type.name}.${value.name}`, description: value.description };
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return;
  for (const field of Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields())) {
    yield { where: `${type.name}.${field.name}`, description: field.description };
    for (const argument of argumentsOf(field)) {
      yield { where: `${type.name}.${field.name}(${argument.name}:)`, description: argument.description };
    }
  }
}

const argumentsOf = (field: object): readonly GraphQLArgument[] =>
  "args" in field && Array.isArray(field.args) ? field.args : [];

const members = types.flatMap((type) => [...membersOf(type)]);
const outputs = types.filter((type) => isObjectType(type) || isInterfaceType(type));
const fields = outputs.flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({ where: `${type.name}.${field.name}`, type, field })),
);

const words = (text: string): number => text.split(/\s+/).length;

describe("the graph", () => {
  it("is a valid schema", () => {
    expect(validateSchema(graph)).toEqual([]);
  });

  it("describes every type, field, argument and enum value in more than one word", () => {
    const mute = members.filter(({ description }) => typeof description !== "string" || words(description) < 2);
    expect(mute.map(({ where }) => where)).toEqual([]);
  });

  it("ends no description with a full stop or a space, for consistency", () => {
    const odd = members.filter(({ description }) => /[.\s]$/.test(description ?? ""));
    expect(odd.map(({ where }) => where)).toEqual([]);
  });

  it("spells types in PascalCase, fields and arguments in camelCase, enum values in SCREAMING_SNAKE_CASE", () => {
    const odd = members.filter(
      ({ where }) => !/^[A-Z][A-Za-z0-9]*(?:\.(?:[a-z][A-Za-z0-9]*(?:\([a-z][A-Za-z0-9]*:\))?|[A-Z][A-Z0-9_]*))?$/.test(where),
    );
    expect(odd.map(({ where }) => where)).toEqual([]);
  });

  it("names no API version, and starts no field with get, fetch or list", () => {
    const names = [...types.map(({ name }) => name), ...fields.map(({ field }) => field.name)];
    expect(names.filter((name) => /^(?:get|fetch|list)[A-Z]|(?:mix|uta|v2|v3)(?![a-z])/i.test(name))).toEqual([]);
  });

  const current = fields.filter(({ field }) => field.deprecationReason === undefined);

  it("has one state in a type, and names it `status`; what it does otherwise is another thing's state", () => {
    const states = current.filter(
      ({ field }) =>
        (/stat(?:us|e)$/i.test(field.name) || /Stat(?:us|e)$/.test(getNamedType(field.type).name)) &&
        (isEnumType(getNamedType(field.type)) || !/^(?:stream|live)$/.test(field.name)),
    );
    const others = states.filter(({ field }) => field.name !== "status").map(({ where }) => where);
    // Of the delivery of the contract that is quoted: a ticker has no state.
    expect(others).toEqual(["Ticker.deliveryStatus"]);
    expect(states.length).toBeGreaterThan(20);
  });

  it("names points in time `…Time`", () => {
    const times = current.filter(({ field }) => `${getNamedType(field.type)}` === "DateTime");
    const others = times.filter(({ field }) => !/^time$|Time$/.test(field.name));
    expect(others.map(({ where }) => where)).toEqual([]);
    expect(times.length).toBeGreaterThan(60);
  });

  it("names truths as English asks them: `isX`, `hasX` or `canX`", () => {
    const truths = current.filter(({ field }) => `${getNamedType(field.type)}` === "Boolean");
    expect(truths.filter(({ field }) => !/^(?:is|has|can)[A-Z]/.test(field.name)).map(({ where }) => where)).toEqual([]);
    expect(truths.length).toBeGreaterThan(50);
  });

  it("names what a client switches on without a verb, and not by its opposite: `reduceOnly`, `dryRun`", () => {
    const inputs = types.filter(isInputObjectType).flatMap((type) => Object.values(type.getFields()));
    const switches = [...inputs, ...fields.flatMap(({ field }) => field.args)].filter(
      ({ type }) => `${getNamedType(type)}` === "Boolean",
    );
    expect(switches.filter(({ name }) => /^(?:is|has|can|no|not|without)[A-Z]/.test(name)).map(({ name }) => name)).toEqual([]);
    expect(switches.length).toBeGreaterThan(20);
  });

  it("counts in Int or BigInt, not in Decimal or text", () => {
    const counted = fields.filter(({ field }) => /^Number of\b/.test(field.description ?? ""));
    expect(counted.length).toBeGreaterThan(10);
    expect(counted.filter(({ field }) => !/^(Int|BigInt)!?$/.test(`${field.type}`)).map(({ where }) => where)).toEqual([]);
  });

  it("measures durations in Int or BigInt, not in Decimal", () => {
    const durations = current.filter(({ field }) => /(?:Ms|Seconds|Minutes)$/.test(field.name));
    expect(durations.length).toBeGreaterThan(4);
    expect(durations.filter(({ field }) => !/^(Int|BigInt)!?$/.test(`${field.type}`)).map(({ where }) => where)).toEqual([]);
  });

  it("has money, prices, quantities, rates and ratios alone as Decimal: no counter, number, identifier or duration", () => {
    const decimals = current.filter(({ field }) => `${getNamedType(field.type)}` === "Decimal");
    const inputs = types.filter(isInputObjectType).flatMap((type) => Object.values(type.getFields()));
    const taken = [...inputs, ...fields.flatMap(({ field }) => field.args)].filter(
      ({ type }) => `${getNamedType(type)}` === "Decimal",
    );
    const names = [...decimals.map(({ field }) => field.name), ...taken.map(({ name }) => name)];
    expect(names.length).toBeGreaterThan(400);
    const other =
      /^(?:count|number|seq|level|tier|index|id|decimals|places?|confirmations|version|time|ms|seconds|minutes|hours|days)$/i;
    const lastWord = (name: string) => name.split(/(?=[A-Z])/).at(-1) ?? name;
    expect(names.filter((name) => other.test(lastWord(name)))).toEqual([]);
  });

  it("takes one identifier of several, and one kind of several, as an input with `@oneOf`", () => {
    const inputs = types.filter(isInputObjectType);
    const choices = inputs.filter(({ isOneOf }) => isOneOf).map(({ name }) => name);
    expect(choices).toEqual(expect.arrayContaining(["OrderIdentifier", "PlanOrderTermsInput", "ChangedPlanTermsInput"]));
    const others = inputs.filter(({ isOneOf }) => !isOneOf);
    const identifiers = others.filter((type) => ["orderId", "clientOid"].every((name) => type.getFields()[name] !== undefined));
    expect(identifiers.map(({ name }) => name)).toEqual([]);
    const eithers = others.filter(({ description }) => /\b(?:either|exactly one)\b/i.test(description ?? ""));
    // A halt is what somebody types in an emergency: one level, with the reason beside the account.
    expect(eithers.map(({ name }) => name)).toEqual(["HaltTradingInput", "ResumeTradingInput"]);
  });

  it("has JSON as JSON, not in text", () => {
    const inText = fields.filter(
      ({ field }) => `${getNamedType(field.type)}` === "String" && /\bJSON\b/.test(field.description ?? ""),
    );
    expect(inText.map(({ where }) => where)).toEqual([]);
  });

  it("has UNKNOWN as the state of a write alone: a word that it does not know is UNRECOGNIZED", () => {
    const enums = types.filter(isEnumType).filter((type) => type.getValue("UNKNOWN") !== undefined);
    expect(enums.map(({ name }) => name).sort()).toEqual(["WriteOutcome", "WriteState"]);
  });

  it("names in the reason of a deprecation what the type has instead, with the same value", () => {
    const old = fields.filter(({ field }) => field.deprecationReason !== undefined);
    expect(old.map(({ where }) => where)).toEqual(expect.arrayContaining(["TradingHalt.since", "Order.orderStatusRaw"]));
    for (const { where, type, field } of old) {
      const [, name = ""] = /Use `(\w+)`/.exec(field.deprecationReason ?? "") ?? [];
      const now = type.getFields()[name];
      expect(now, where).toBeDefined();
      // These have no other field for what they say, but one that says more, or as another type.
      const others = ["Exchange.clockOffsetMs", "MarginPair.isBorrowable", "RedeemSavingsPayload.status"];
      if (now === undefined || name === "periodDays" || others.includes(where)) continue;
      expect([`${field.type}`, field.args, field.extensions], where).toEqual([`${now.type}`, now.args, now.extensions]);
      if (now.resolve === undefined) expect(Reflect.apply(field.resolve ?? String, undefined, [{ [name]: where }])).toBe(where);
      else expect(field.resolve, where).toBe(now.resolve);
    }
  });

  it("has the codes of the registry as an enum", () => {
    const codes = graph.getType("ErrorCode");
    expect(isEnumType(codes) && codes.getValues().map(({ name }) => name)).toEqual(Object.keys(FAULTS));
  });

  it("has every record with an identifier of the exchange as a Node", () => {
    /** Types with an identifier that are no records of their own. */
    const others = {
      AccountSettings: "the account, which is a Node, with another user's identifiers",
      BulkOrder: "what became of one order of a write, with the identifier of the order",
      CancelFailure: "an order that a write could not cancel",
      ConvertQuote: "an offer for seconds, which is not listed",
      KeptOrder: "an order that a write did not cancel",
      PositionExit: "terms of a position, with the identifier of their trigger order",
      ReconciliationDifference: "what a comparison has found, with the identifiers of the order that it is about",
    };
    const isIdentifier = ({ name }: { readonly name: string }) => /(^id|Id|Uid|Oid)$/.test(name);
    const identified = types.filter(isObjectType).flatMap((type) => {
      const interfaces = new Set(type.getInterfaces().map(({ name }) => name));
      if (interfaces.has("Node") || interfaces.has("WritePayload")) return [];
      return Object.values(type.getFields()).some(isIdentifier) && !/^(Query|Mutation|Subscription)$/.test(type.name)
        ? [type.name]
        : [];
    });
    expect(identified.sort()).toEqual(Object.keys(others));
  });

  it("has no Float", () => {
    expect(graph.getType("Float")).toBeUndefined();
  });

  it("has nullable list items if a row of the exchange may be invalid, and non-null ones otherwise", () => {
    const isWhole = (type: GraphQLOutputType): boolean =>
      (isListType(type) && isNonNullType(type.ofType)) || (isWrappingType(type) && isWhole(type.ofType));
    const ours =
      /^(Query\.accounts|Viewer|GrantedScope|Exchange|Equity|Performance|ProfitDay|Reconcil|BatchEstimate|\w+Payload|\w+Event\.)|\.(performance|profitCalendar|reconciliation)$/;
    const texts = fields.filter(({ field }) => `${getNamedType(field.type)}` === "String").map(({ where }) => where);
    const whole = fields.filter(({ field }) => isWhole(field.type)).map(({ where }) => where);
    const ofTheExchange = whole.filter(
      (where) => !ours.test(where) && !where.startsWith("Subscription.") && !where.endsWith(".edges") && !texts.includes(where),
    );
    expect(ofTheExchange.sort()).toEqual([
      "AccountUpdate.futuresAccounts",
      "Fill.fees",
      "Order.fees",
      "OrderBook.asks",
      "OrderBook.bids",
    ]);
  });

  /** Fields that repeat an argument. Their values do not come from the exchange, so there is no raw text. */
  const OUR_WORD = new Set([
    "Instrument.category",
    "OrderBook.category",
    "Ticker.category",
    "Liquidation.category",
    "AccountFeeRate.category",
    "OpenInterest.category",
    "SetHoldModePayload.holdMode",
  ]);
  const mayGrow = (type: GraphQLEnumType) => /has added/.test(type.getValue("UNRECOGNIZED")?.description ?? "");

  it("has the exchange's text beside every field whose enum the exchange may extend, null only with it", () => {
    for (const { where, type, field } of fields) {
      if (OUR_WORD.has(where)) continue;
      const { type: output } = field;
      const named = isNonNullType(output) ? output.ofType : output;
      if (!isEnumType(named) || !mayGrow(named)) continue;
      const raw = type.getFields()[`${field.name}Raw`];
      expect(raw?.type.toString(), where).toBe(isNonNullType(output) ? "String!" : "String");
    }
  });

  it("accepts no enum with UNRECOGNIZED in any argument or input", () => {
    const inputs = types.filter(isInputObjectType).flatMap((type) => Object.values(type.getFields()));
    const taken = [...fields.flatMap(({ field }) => field.args), ...inputs].map(({ type }) => getNamedType(type));
    const enums = [...new Set(taken.filter(isEnumType))];
    expect(enums.length).toBeGreaterThan(25);
    expect(enums.filter((type) => type.getValue("UNRECOGNIZED") !== undefined).map(({ name }) => name)).toEqual([]);
  });

  it("has an <name>Input for an enum in both results and inputs: the same values without UNRECOGNIZED", () => {
    const twins = types.filter((type) => isEnumType(type) && type.name.endsWith("Input"));
    expect(twins).toHaveLength(23);
    for (const twin of twins) {
      const answered = graph.getType(twin.name.replace(/Input$/, ""));
      const words = isEnumType(twin) && twin.getValues().map(({ name }) => name);
      expect(isEnumType(answered) && answered.getValues().map(({ name }) => name), twin.name).toEqual([
        ...(words || []),
        "UNRECOGNIZED",
      ]);
    }
  });

  it("lets a field with a separate call fail alone: it names its source and is nullable", () => {
    const sourced = fields.filter(
      ({ type, field }) => type.name !== "Mutation" && /Source: GET \/api\//.test(field.description ?? ""),
    );
    expect(sourced.length).toBeGreaterThan(14);
    expect(sourced.filter(({ field }) => isNonNullType(field.type)).map(({ where }) => where)).toEqual([]);
  });

  it("reads plain fields from the record, without separate resolvers", () => {
    const type = graph.getType("HistoricalPosition");
    if (!isObjectType(type)) throw new Error("HistoricalPosition is not an object type");
    const resolved = Object.values(type.getFields()).filter(({ resolve }) => resolve !== undefined);
    expect(resolved.map(({ name }) => name)).toEqual(["id", "instrument", "ticker", "fills", "orders"]);
  });

  const connections = fields.filter(({ field }) => getNamedType(field.type).name.endsWith("Connection"));
  const argsOf = ({ field }: { readonly field: GraphQLField<unknown, unknown> }) => field.args.map(({ name }) => name);

  it("has the arguments of every list in one order: page, then filters, then times", () => {
    const ORDER =
      /^(?:first )?(?:after )?(?:kinds )?(?:category )?(?:categories )?(?:productType )?(?:periodType )?(?:symbol )?(?:symbols )?(?:coin )?(?:coins )?(?:(?!(?:first|after|category|symbols?|coins?|from|to|maxAgeMs)\b)\w+ )*(?:from to )?(?:maxAgeMs )?(?:pace )?$/;
    const lists = fields.filter(({ field }) => connections.some((one) => one.field === field) || /^\[/.test(`${field.type}`));
    const odd = lists.filter(
      (list) =>
        !ORDER.test(
          argsOf(list)
            .map((name) => `${name} `)
            .join(""),
        ),
    );
    expect(odd.map((list) => `${list.where}(${argsOf(list).join(", ")})`)).toEqual([]);
    expect(lists.length).toBeGreaterThan(60);
  });

  it("pages every connection, and bounds it by time, except what belongs to one thing", () => {
    expect(connections.length).toBeGreaterThan(25);
    for (const list of connections) expect(argsOf(list).slice(0, 2), list.where).toEqual(["first", "after"]);
    const ofOne = /^(?:Order|PlanOrder|Position|HistoricalPosition)\./;
    const timeless = connections.filter((list) => !ofOne.test(list.where) && !argsOf(list).join().includes("from,to"));
    expect(timeless.map(({ where }) => where)).toEqual(["SharkFin.offers"]);
  });

  it("requires an argument of a list only where the exchange cannot be asked for all of them piece by piece", () => {
    const market = ["category", "symbol"];
    const lists = fields.filter(({ field }) => connections.some((one) => one.field === field) || /^\[/.test(`${field.type}`));
    const required = lists.flatMap(({ where, field }) => {
      const names = field.args.filter((one) => isNonNullType(one.type) && one.defaultValue === undefined).map(({ name }) => name);
      return names.length === 0 ? [] : [[where, names] as const];
    });
    expect(Object.fromEntries(required)).toEqual({
      // The series of one market.
      ...{ "Query.candles": [...market, "interval"], "Instrument.candles": ["interval"], "Query.trades": market },
      ...{ "Query.fundingHistory": market, "Query.positionTiers": market },
      // Sums over a span of time.
      ...{ "Account.performance": ["from"], "Account.profitCalendar": ["from"], "Account.reconciliation": ["from"] },
      ...{ "Query.performance": ["from"], "Query.profitCalendar": ["from"] },
      // What is looked up.
      "Query.nodes": ["ids"],
      // The exchange answers one call in ten seconds.
      "Account.subAccountFuturesAssets": ["productType"],
      // Offers of a coin that is not held, which no list of the exchange names.
      "SharkFin.offers": ["coin"],
      // Kinds of records, none of them a category or a symbol.
      ...{ "Savings.assets": ["periodType"], "Savings.records": ["periodType"], "SharkFin.records": ["type"] },
    });
  });

  it("takes a category and a symbol, both optional, in every list of rows that have them", () => {
    const rowOf = ({ field }: (typeof fields)[number]) => {
      const named = getNamedType(field.type);
      if (!isObjectType(named)) return undefined;
      const nodes = named.name.endsWith("Connection") ? named.getFields().nodes?.type : field.type;
      const row = nodes && /\[/.test(`${nodes}`) ? getNamedType(nodes) : undefined;
      return isObjectType(row) ? row : undefined;
    };
    const meant = fields.filter((one) => {
      const row = rowOf(one)?.getFields();
      return /^(?:Account|Query)\./.test(one.where) && row?.category !== undefined && row.symbol !== undefined;
    });
    expect(meant.length).toBeGreaterThan(10);
    // Trades are those of one market; the wallet of the funding account belongs to no product. Rows of a performance
    // are sums, of which only some are about a product.
    const others = new Set(["Query.trades", "Account.fundingRecords", "Account.performance", "Query.performance"]);
    for (const { where, field } of meant.filter((one) => !others.has(one.where))) {
      const taken = field.args.filter(({ name }) => /^(?:category|symbols?)$/.test(name));
      expect(
        taken.map(({ type }) => isNonNullType(type)),
        where,
      ).toEqual([false, false]);
    }
  });
});
