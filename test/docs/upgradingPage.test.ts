import { readFileSync } from "node:fs";
import { buildSchema, type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from "graphql";
import { describe, expect, it } from "vitest";

const page = readFileSync("docs/upgrading.md", "utf8");
const schemaOf = (file: string): GraphQLSchema => buildSchema(readFileSync(file, "utf8"), { assumeValidSDL: true });
const [first, second, current] = ["releases/0.1.0/schema.graphql", "releases/0.2.0/schema.graphql", "schema.graphql"].map(
  schemaOf,
);

/** A field, argument or enum value: its type, its name, and whether it is deprecated. */
interface Member {
  readonly type: string;
  readonly name: string;
  readonly isDeprecated: boolean;
}

const membersOf = (schema: GraphQLSchema): readonly Member[] =>
  Object.values(schema.getTypeMap()).flatMap((type) => {
    const member = ({ name, deprecationReason }: { readonly name: string; readonly deprecationReason?: unknown }) => ({
      type: type.name,
      name,
      isDeprecated: typeof deprecationReason === "string",
    });
    if (type.name.startsWith("__")) return [];
    if (isEnumType(type)) return type.getValues().map(member);
    if (isInputObjectType(type)) return Object.values(type.getFields()).map(member);
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) => [member(field), ...field.args.map(member)]);
  });

/** Rows of the tables below this heading. */
const rowsOf = (heading: string): readonly string[] =>
  (page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("|"));

const steps = [
  { heading: "From 0.1 to 0.2", before: first, after: second },
  { heading: "From 0.2 to the next release", before: second, after: current },
];

describe.each(steps)("the tables of upgrading: $heading", ({ heading, before, after }) => {
  const rows = rowsOf(heading);
  const old = membersOf(before ?? expect.unreachable());
  const now = membersOf(after ?? expect.unreachable());

  it("have each name that is gone or deprecated", () => {
    const find = (members: readonly Member[], { type, name }: Member) =>
      members.find((other) => other.type === type && other.name === name);
    const left = old.filter((member) => {
      const later = find(now, member);
      if (later !== undefined && (member.isDeprecated || !later.isDeprecated)) return false;
      const type = after?.getType(member.type);
      if (type === undefined || member.name === "UNKNOWN") return false;
      const types = [member.type, ...(isObjectType(type) ? type.getInterfaces().map(({ name }) => name) : [])];
      return !rows.some((row) => types.some((name) => row.includes(`\`${name}`)) && row.includes(member.name));
    });
    expect(left.map(({ type, name }) => `${type}.${name}`)).toEqual([]);
  });

  it("have no name that the version before did not have", () => {
    const known = new Set(old.flatMap(({ type, name }) => [`${type}.${name}`, name]));
    const invented = rows.flatMap((row) => {
      const [, types = "", changes = ""] = row.split("|");
      const named = [...types.matchAll(/`([A-Z]\w+)/g)].map(([, name]) => name);
      return [...changes.matchAll(/`(\w+)(?:: \w+)?` →/g)].flatMap(([, name = ""]) =>
        /^[a-z]/.test(name) && named.some((type) => !known.has(`${type}.${name}`)) && !types.includes("(…)")
          ? [`${types}: ${name}`]
          : [],
      );
    });
    expect(invented).toEqual([]);
  });
});
