import { readdirSync, readFileSync } from "node:fs";
import { endpoints } from "@exchange-graph/contract";
import { channels } from "@exchange-graph/contract/channels";
import { isInterfaceType, isNonNullType, isObjectType } from "graphql";
import { describe, expect, it } from "vitest";
import { printGraph } from "../../src/schema/printGraph.js";
import { graph } from "../support/graph.js";

const fields = Object.values(graph.getTypeMap()).flatMap((type) =>
  (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith("__") ? Object.values(type.getFields()) : [],
);

/** Resolvers of nullable fields, with whether their return type includes null. */
const RESOLVER =
  /@(?:FieldResolver|Query)\(.*?, \{\s*nullable: (?:true|"itemsAndList"),\s*description:\s*(?:"([^"]*)"|`(?:\\.|[^`\\])*`|\w+),?\s*\}\)\s*(?:async )?(\w+)\((?:(?!\n {2,4}\}\n).)*?\): ([^{]*?) \{\n/gs;
const sources = readdirSync("src/resolvers", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const resolvers = sources.flatMap((file) =>
  [...readFileSync(`src/resolvers/${file}`, "utf8").matchAll(RESOLVER)].map(([, description, name, answer = ""]) => ({
    file,
    name,
    description,
    mayBeNull: /\bnull\b|ReturnType/.test(answer),
  })),
);

describe("@semanticNonNull", () => {
  it("is on a field with a call of its own exactly if its resolver never answers null", () => {
    expect(resolvers.length).toBeGreaterThan(100);
    const wrong = resolvers.flatMap(({ file, name, description, mayBeNull }) => {
      const found = fields.filter(
        (field) => field.name === name && (description === undefined || field.description?.startsWith(description)),
      );
      if (found.length === 0) return [`${file}: ${name} is no field`];
      const isRight = found.map(({ extensions }) => (extensions.semanticNonNull?.includes(0) === true) !== mayBeNull);
      // Without its description, a field of another type may have the name too.
      const isSettled = description === undefined ? isRight.includes(true) : !isRight.includes(false);
      return isSettled ? [] : [`${file}: ${name}`];
    });
    expect(wrong).toEqual([]);
  });

  const nullable = Object.values(graph.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith("__")
      ? Object.values(type.getFields())
          .filter((field) => !isNonNullType(field.type) && field.deprecationReason === undefined)
          .map((field) => ({ where: `${type.name}.${field.name}`, type, field }))
      : [],
  );

  it("is proven so for every nullable field that a resolver answers", () => {
    const names = new Set(resolvers.map(({ name }) => name));
    const unproven = nullable.filter(({ field }) => field.resolve !== undefined && !names.has(field.name));
    expect(unproven.map(({ where }) => where)).toEqual([]);
  });

  /** What the contract says of the fields of the exchange's records, any of which the exchange may leave out. */
  const records = new Set<string>();
  const seen = new Set<unknown>();
  const read = (part: unknown): void => {
    if (typeof part !== "object" || part === null || seen.has(part)) return;
    seen.add(part);
    if ("doc" in part && typeof part.doc === "string") records.add(part.doc);
    for (const inner of Object.values(part)) read(inner);
  };
  read([endpoints, channels]);
  /** The same, for fields of the exchange whose meaning the graph says in other words. */
  const REWORDED: readonly string[] = [
    ...["Balance.balance", "Balance.equity", "Fee.amount", "Fee.coin", "FuturesSettings.holdMode", "OrderBook.time"],
    ...["HistoricalPosition.holdMode", "HistoricalPosition.marginMode", "SubAccountProfile.permissions"],
    ...["SubAccountWithdrawal.confirmations", "SubAccountWithdrawal.subUid", "Withdrawal.confirmations"],
    ...["TrailingStopTerms.activationBy", "TrailingStopTerms.orderType", "TriggerTerms.orderType", "TriggerTerms.triggerPrice"],
    ...["buyRatio", "buyVolume", "sellRatio", "sellVolume"].map((name) => `InvestorFlow.${name}`),
    ...["assetMode", "crossedMaxAvailable", "equity", "locked"].map((name) => `FuturesAccountUpdate.${name}`),
    ...["unionAvailable", "unionMaintenanceMargin", "unionTotalMargin"].map((name) => `FuturesAccountUpdate.${name}`),
  ];

  it("is missing only where the field says when it is null, or where the exchange may leave its value out", () => {
    const without = nullable.filter(({ field }) => field.extensions.semanticNonNull?.includes(0) !== true);
    expect(without.length).toBeGreaterThan(900);
    const says = (text: string | null | undefined) => /\bnull\b|\bonly\b/i.test(text ?? "");
    // The exchange's names come last in a description.
    const isOfRecord = (text = "") => records.has(text) || records.has(text.replace(/ \((?:`\w+`(?:, )?)+\)$/, ""));
    const unexplained = without.filter(
      ({ type, field: { name, description, resolve } }) =>
        !says(description) &&
        !says(type.description) &&
        !name.endsWith("Raw") &&
        (resolve !== undefined || !isOfRecord(description ?? undefined)),
    );
    expect(unexplained.map(({ where }) => where).sort()).toEqual(REWORDED.toSorted());
  });

  it("is in the schema, with the levels of lists", () => {
    const sdl = printGraph(graph);
    expect(sdl).toContain("directive @semanticNonNull(");
    expect(sdl).toContain("mode: AccountMode @semanticNonNull\n");
    expect(sdl).toContain("): [Position] @semanticNonNull(levels: [0, 1])\n");
    expect(sdl).toMatch(/ nodes: \[Order\]! @semanticNonNull\(levels: \[1\]\)\n/);
    expect(sdl).toMatch(/ nodes\([^)]*\): \[Node\]!\n/);
  });
});
