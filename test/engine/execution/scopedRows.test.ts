import { buildSchema, execute, Kind, parse } from "graphql";
import { expect, it, vi } from "vitest";
import { CompiledQuery } from "../../../src/engine/execution/compiledQuery.js";
import { SerializedTextCache } from "../../../src/engine/execution/serializedTextCache.js";
import { ScopedRows } from "../../../src/schema/scopedRows.js";

const schema = buildSchema(
  "type Query { rows: [Row] some: [Row!] } type Row { id: ID! text: String kind: Kind count: Int share: Float of: Row account: Account whose: String } type Account { name: String! } enum Kind { A B }",
);
const TEXTS = ["plain", "", 'say "so"', "back\\slash", "a\nb", "\u2028 龙", "\ud800", null, "x".repeat(50), `${"x".repeat(50)}"`];
const row = (at: number) => ({
  id: at,
  text: TEXTS[at % TEXTS.length],
  kind: [null, "A", "B", "NONE"][at % 4],
  count: at % 7 === 0 ? 2 ** 40 : at,
  share: at / 8,
  of: at % 3 === 0 ? null : { id: `inner ${at}`, account: { name: "its own" } },
});
/** More rows than a selection writes before it is compiled. */
const rows = Array.from({ length: 200 }, (_, at) => (at === 150 ? new Error("unread") : row(at)));
const copied = vi.fn();
const scope = {
  get account() {
    copied();
    return { name: "main" };
  },
};
for (const field of ["rows", "some"]) {
  const definition = schema.getQueryType()?.getFields()[field];
  if (definition !== undefined) definition.resolve = () => new ScopedRows(rows, scope);
}
const rowType = schema.getType("Row");
if (rowType && "getFields" in rowType) {
  const { whose } = rowType.getFields();
  if (whose && "resolve" in whose) whose.resolve = ({ account }) => account?.name;
}

async function both(text: string) {
  const document = parse(text);
  const [operation] = document.definitions;
  const type = schema.getQueryType();
  if (operation?.kind !== Kind.OPERATION_DEFINITION || !type) throw new Error("no query");
  const { data, errors = [] } = await execute({ schema, document });
  copied.mockClear();
  const compiled = await new CompiledQuery(schema, type, document, operation, new SerializedTextCache()).execute({}, {});
  const said = (all: typeof errors) => all.map(({ path, message }) => JSON.stringify([path, message])).sort();
  expect(compiled.data).toBe(JSON.stringify(data));
  expect(said(compiled.errors)).toEqual(said(errors));
  return copied.mock.calls.length;
}

it.each([
  "{ rows { id text kind count share } }",
  "{ rows { text again: text } }",
  "{ rows { id of { id text account { name } } } }",
  "{ some { id } }",
])("rows that do not show what they share are not copied: %s", async (text) => {
  expect(await both(text)).toBe(0);
});

it.each(["{ rows { id account { name } kind } }", "{ rows { text whose } }", "{ some { account { name } } }"])(
  "rows that select it contain it: %s",
  async (text) => {
    // The first error makes the second list null, so its remaining rows are not written.
    expect(await both(text)).toBeGreaterThanOrEqual(150);
  },
);
