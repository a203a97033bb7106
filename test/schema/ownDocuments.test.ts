import { readdirSync, readFileSync } from "node:fs";
import {
  type DocumentNode,
  GraphQLError,
  isInterfaceType,
  isObjectType,
  NoDeprecatedCustomRule,
  parse,
  validate,
  visit,
} from "graphql";
import { describe, expect, it } from "vitest";
import { graph } from "../support/graph.js";

/** Places with documents of ours, and how many at least: a rule that reads nothing holds for everything. */
const PLACES: readonly (readonly [string, number])[] = [
  ["docs", 40],
  ["apps", 40],
  ["examples", 6],
  ["bench", 10],
  ["test", 400],
  ["packages/client", 5],
  ["README.md", 1],
];
const SOURCE = /\.(?:graphql|[cm]?[jt]sx?|html|md|ya?ml|json)$/;
/** Generated and built files, and files of releases, which have the names of their time. */
const NOT_WRITTEN = /(?:^|\/)(?:node_modules|dist|build|generated|documents|fixtures|samples)\//;

const filesIn = (place: string): readonly string[] =>
  place.endsWith(".md")
    ? [place]
    : readdirSync(place, { recursive: true, encoding: "utf8" })
        .map((name) => `${place}/${name}`)
        .filter((path) => SOURCE.test(path) && !NOT_WRITTEN.test(path));

const FENCED = /^```\w*\n[\s\S]*?^```$/gm;
const QUOTED = [/`(?:[^`\\]|\\.)*`/g, /"(?:[^"\\\n]|\\.)*"/g, /'(?:[^'\\\n]|\\.)*'/g];

/** Texts that may be documents: files of GraphQL, blocks of pages, and quoted texts with their parts left out. */
function textsIn(path: string): readonly string[] {
  const source = readFileSync(path, "utf8");
  if (path.endsWith(".graphql")) return [source];
  const blocks = path.endsWith(".md") ? (source.match(FENCED) ?? []) : [];
  const marks = /^```.*$/gm;
  const quoted = QUOTED.flatMap((quotes) => source.replace(marks, "").match(quotes) ?? []).map((text) => text.slice(1, -1));
  return [...blocks.map((text) => text.replace(marks, "")), ...quoted].map((text) =>
    text.replace(/\\(["`])/g, "$1").replace(/\$\{[^{}]*\}/g, "__typename"),
  );
}

const fields = Object.values(graph.getTypeMap()).flatMap((type) =>
  isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [],
);
/** Names under which no type has a field that is not deprecated: in a selection without its type these are found too. */
const OLD = new Set(
  fields
    .map(({ name }) => name)
    .filter((name) => fields.every((field) => field.name !== name || field.deprecationReason !== undefined)),
);

const NAMES = new Set(fields.map(({ name }) => name));

const fieldNamesIn = (document: DocumentNode): readonly string[] => {
  const names: string[] = [];
  visit(document, { Field: ({ name: { value } }) => void names.push(value) });
  return names;
};

function documentIn(text: string): DocumentNode | undefined {
  if (!text.includes("{")) return undefined;
  // Or a selection that a test puts into its documents: other text in braces has names that are no fields.
  for (const source of [text, `{ ${text} }`])
    try {
      const document = parse(source);
      if (source === text || fieldNamesIn(document).every((name) => name === "__typename" || NAMES.has(name))) return document;
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
    }
  return undefined;
}

const deprecatedIn = (document: DocumentNode): readonly string[] => [
  ...validate(graph, document, [NoDeprecatedCustomRule]).map(({ message }) => message),
  ...fieldNamesIn(document).filter((name) => OLD.has(name)),
];

describe("documents of this repository", () => {
  it.each(PLACES)("use no deprecated field: %s", (place, least) => {
    const documents = filesIn(place).flatMap((path) =>
      textsIn(path).flatMap((text) => {
        const document = documentIn(text);
        return document === undefined ? [] : [{ path, document }];
      }),
    );
    expect(documents.length).toBeGreaterThan(least - 1);
    const found = documents.flatMap(({ path, document }) => deprecatedIn(document).map((name) => `${path}: ${name}`));
    expect([...new Set(found)]).toEqual([]);
  });
});
