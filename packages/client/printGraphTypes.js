import { readFileSync, writeFileSync } from "node:fs";
import { buildSchema, isAbstractType, isObjectType } from "graphql";

/** Schema information for client caches: the object types of each interface and union, and the types without an `id`. */
function graphTypes(schemaText) {
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

const text = ({ possibleTypes, withoutId }) => `// Printed from the schema by printGraphTypes.js.

/** The types of each interface and union. */
export const POSSIBLE_TYPES = ${JSON.stringify(possibleTypes)};

/** Types without an \`id\`. */
export const WITHOUT_ID = ${JSON.stringify(withoutId)};
`;

// `node printGraphTypes.js FROM TO`: writes a module with what client caches need to know of a schema.
const [, , from, to] = process.argv;
writeFileSync(to, text(graphTypes(readFileSync(from, "utf8"))));
