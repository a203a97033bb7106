import { buildSchema, type DocumentNode, GraphQLScalarType, Kind, type OperationDefinitionNode, parse } from "graphql";
import { beforeEach, describe, expect, it } from "vitest";
import { CompiledQuery } from "../../../src/engine/execution/compiledQuery.js";
import { SerializedTextCache } from "../../../src/engine/execution/serializedTextCache.js";

let serialised = 0;
const Counted = new GraphQLScalarType({
  name: "Counted",
  serialize(value) {
    serialised++;
    if (value === "bad") throw new Error("cannot be shown");
    return value;
  },
});

const schema = buildSchema(`
  scalar Counted
  type Query { lasting: [Lasting!]! passing: [Passing!]! }
  type Lasting { name: Counted inner: Inner resolved: Counted }
  type Inner { name: Counted }
  type Passing { name: Counted }
`);
const typeNamed = (name: string) => {
  const type = schema.getType(name);
  if (type === undefined || !("getFields" in type)) throw new Error(`no type ${name}`);
  return type;
};

const record = { name: "a", inner: { name: "b" } };
const broken = { name: "a", inner: { name: "bad" } };
let rows: readonly object[] = [];

const Lasting = typeNamed("Lasting");
Lasting.extensions = { lasting: true };
const scalar = schema.getType("Counted");
if (scalar instanceof GraphQLScalarType) scalar.serialize = Counted.serialize;
for (const field of Object.values(typeNamed("Query").getFields())) if ("resolve" in field) field.resolve = () => rows;
const resolved = Lasting.getFields().resolved;
let answer = "first";
if (resolved !== undefined && "resolve" in resolved) resolved.resolve = () => answer;

function compiled(text: string): CompiledQuery {
  const document: DocumentNode = parse(text);
  const operation = document.definitions.find(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const query = schema.getQueryType();
  if (operation === undefined || query === undefined || query === null) throw new Error("no query");
  return new CompiledQuery(schema, query, document, operation, new SerializedTextCache());
}

beforeEach(() => {
  serialised = 0;
  rows = [record];
});

describe("A record that lasts", () => {
  it("is serialized once per selection, and is the same each time", async () => {
    const query = compiled("{ lasting { name inner { name } } }");
    const first = await query.execute({}, {});
    rows = [record, { ...record, name: "c" }, record];
    const second = await query.execute({}, {});
    expect(first?.data).toBe('{"lasting":[{"name":"a","inner":{"name":"b"}}]}');
    expect(second?.data).toBe(
      '{"lasting":[{"name":"a","inner":{"name":"b"}},{"name":"c","inner":{"name":"b"}},{"name":"a","inner":{"name":"b"}}]}',
    );
    expect(serialised).toBe(4);
  });

  it("is another text under another selection", async () => {
    const query = compiled("{ lasting { name } again: lasting { other: name } }");
    expect((await query.execute({}, {}))?.data).toBe('{"lasting":[{"name":"a"}],"again":[{"other":"a"}]}');
  });

  it("reports its errors each time", async () => {
    const query = compiled("{ lasting { name inner { name } } }");
    rows = [broken];
    for (let time = 0; time < 2; time++) {
      const { data, errors } = (await query.execute({}, {})) ?? {};
      expect(data).toBe('{"lasting":[{"name":"a","inner":{"name":null}}]}');
      expect(errors?.map(({ message, path }) => ({ message, path }))).toEqual([
        { message: "cannot be shown", path: ["lasting", 0, "inner", "name"] },
      ]);
    }
  });

  it("is serialized again if one of its fields is resolved", async () => {
    const query = compiled("{ lasting { resolved } }");
    expect((await query.execute({}, {}))?.data).toBe('{"lasting":[{"resolved":"first"}]}');
    answer = "second";
    expect((await query.execute({}, {}))?.data).toBe('{"lasting":[{"resolved":"second"}]}');
  });
});

it("A record of any other type is written each time", async () => {
  const query = compiled("{ passing { name } }");
  await query.execute({}, {});
  await query.execute({}, {});
  expect(serialised).toBe(2);
});
