import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { buildSchema, isInterfaceType, isObjectType } from "graphql";

/** What caches have to know of the graph, as a module. */
export function graphTypes(schemaText) {
  const schema = buildSchema(schemaText);
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__"));
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const objects = types.filter((type) => isObjectType(type) && !roots.includes(type));
  const parts = objects.filter((type) => type.getFields().id === undefined);
  const possible = types.filter(isInterfaceType).map((type) => [type.name, namesOf(schema.getPossibleTypes(type))]);
  return `// Printed from schema.graphql by \`npm run schema\`.

/** The types of each interface. */
export const POSSIBLE_TYPES = ${JSON.stringify(Object.fromEntries(possible))};

/** Types without an \`id\`. */
export const WITHOUT_ID = ${JSON.stringify(namesOf(parts))};
`;
}

const namesOf = (types) => types.map(({ name }) => name).sort();

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [, , from, to] = process.argv;
  writeFileSync(to, graphTypes(readFileSync(from, "utf8")));
}
