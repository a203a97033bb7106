import {
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
} from "graphql";
import { getMetadataStorage } from "type-graphql";
import { typeNameOf } from "../schema/node.js";
import { ONE_OF_INPUTS } from "../schema/record.js";

type Storage = ReturnType<typeof getMetadataStorage>;
type Method = Storage["queries"][number] | Storage["fieldResolvers"][number];

/**
 * What this project does differently from type-graphql's documentation, and why. Types and fields come from tables, to which
 * `schema/record.ts` and `fieldTable.ts` apply its decorators; everything else of it is used as documented.
 *
 * `validate`: the endpoints' rules check values, which class-validator does not know. `pubSub`: subscriptions have sources of their
 * own, and type-graphql refuses to build them without one. `skipCheck`: it introspects the whole schema, which takes 80 ms of each
 * start; a test validates the schema instead.
 */
export const LEFT_OUT = {
  validate: false,
  pubSub: { publish: refuseTopics, subscribe: refuseTopics },
  skipCheck: true,
} as const;

function refuseTopics(topic: string): never {
  throw new Error(`subscriptions have no topics: ${topic}`);
}

/** Replaces what type-graphql has built, and adds what it has no option for. */
export function replaceInTypeGraphql(graph: GraphQLSchema): void {
  for (const type of Object.values(graph.getTypeMap())) {
    // It has no option for `@oneOf`.
    if (isInputObjectType(type)) type.isOneOf = ONE_OF_INPUTS.has(type.name);
    if (!isAbstractType(type) || isIntrospectionType(type)) continue;
    // It makes `resolveType` asynchronous, which compiled execution does not support.
    type.resolveType = typeNameOf;
    type.extensions = { ...type.extensions, namesTypes: true };
  }
  callResolversDirectly(graph);
}

/**
 * Makes fields call the resolvers of their tables (`fieldTable.ts`) directly. type-graphql passes each argument through a promise,
 * for validation that is not used here, and copies it into an instance of its class, which costs several times as much as
 * starting the resolver's read, or executing an event.
 */
function callResolversDirectly(graph: GraphQLSchema): void {
  const storage = getMetadataStorage();
  const bind = ({ target, methodName, schemaName }: Method, type: GraphQLObjectType | null | undefined): void => {
    const field = type?.getFields()[schemaName];
    if (field !== undefined) field.resolve = Reflect.get(target.prototype, methodName);
  };
  for (const query of storage.queries) bind(query, graph.getQueryType());
  for (const mutation of storage.mutations) bind(mutation, graph.getMutationType());
  for (const event of storage.subscriptions) bind(event, graph.getSubscriptionType());
  const typeNames = new Map(storage.objectTypes.map(({ target, name }) => [target, name]));
  for (const method of storage.fieldResolvers) {
    const owner = method.kind === "external" ? method.getObjectType?.() : undefined;
    const type = owner === undefined ? undefined : graph.getType(typeNames.get(owner) ?? "");
    if (isObjectType(type)) bind(method, type);
  }
}
