import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { buildSchema, isAbstractType, isObjectType } from "graphql";

/** Schema information for client caches: the object types of each interface and union, and the types without an `id`. */
export function graphTypes(schemaText) {
  const schema = buildSchema(schemaText);
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__"));
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const objects = types.filter((type) => isObjectType(type) && !roots.includes(type));
  const abstract = types.filter(isAbstractType);
  return {
    possibleTypes: Object.fromEntries(abstract.map((type) => [type.name, namesOf(schema.getPossibleTypes(type))])),
    withoutId: namesOf(objects.filter((type) => type.getFields().id === undefined)),
  };
}

const namesOf = (types) => types.map(({ name }) => name).sort();

const text = ({ possibleTypes, withoutId }) => `// Printed from schema.graphql by \`npm run schema\`.

/** The types of each interface and union. */
export const POSSIBLE_TYPES = ${JSON.stringify(possibleTypes)};

/** Types without an \`id\`. */
export const WITHOUT_ID = ${JSON.stringify(withoutId)};
`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [, , from, to] = process.argv;
  writeFileSync(to, text(graphTypes(readFileSync(from, "utf8"))));
}
