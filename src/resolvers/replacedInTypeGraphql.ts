import {
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isAbstractType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
} from "graphql";
import { getMetadataStorage } from "type-graphql";
import { typeNameOf } from "../schema/node.js";
import { ONE_OF_INPUTS } from "../schema/record.js";
import type { RequestContext } from "./context.js";

type AnyField = GraphQLField<unknown, RequestContext>;
type Resolve = GraphQLFieldResolver<unknown, RequestContext>;
type Storage = ReturnType<typeof getMetadataStorage>;
type Method = Storage["queries"][number] | Storage["fieldResolvers"][number];
type Parameter = NonNullable<Method["params"]>[number];
type Class = Method["target"];

/**
 * What this project does differently from type-graphql's documentation, and why. Everything else of it is used as documented.
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
 * Makes fields call the methods of resolvers directly with their arguments. type-graphql passes each argument through a promise,
 * for validation that is not used here, and copies it into an instance of its class, which costs several times as much as
 * starting the method's read, or executing an event.
 */
function callResolversDirectly(graph: GraphQLSchema): void {
  const storage = getMetadataStorage();
  const instances = new Map<Class, object>();
  const bind = (method: Method, field: AnyField | undefined): void => {
    if (field !== undefined) field.resolve = resolverOf(method, field, instanceOf(method.target, instances), storage);
  };
  for (const query of storage.queries) bind(query, graph.getQueryType()?.getFields()[query.schemaName]);
  for (const mutation of storage.mutations) bind(mutation, graph.getMutationType()?.getFields()[mutation.schemaName]);
  for (const event of storage.subscriptions) bind(event, graph.getSubscriptionType()?.getFields()[event.schemaName]);
  const typeNames = new Map(storage.objectTypes.map(({ target, name }) => [target, name]));
  for (const method of storage.fieldResolvers) {
    const owner = method.kind === "external" ? method.getObjectType?.() : undefined;
    const type = owner === undefined ? undefined : graph.getType(typeNames.get(owner) ?? "");
    if (isObjectType(type)) bind(method, type.getFields()[method.schemaName]);
  }
}

function resolverOf({ methodName, params = [] }: Method, field: AnyField, instance: object, storage: Storage): Resolve {
  const method: unknown = Reflect.get(instance, methodName);
  if (typeof method !== "function") throw new Error(`${instance.constructor.name} has no method ${methodName}`);
  const readers = [...params].sort((a, b) => a.index - b.index).map((parameter) => readerOf(parameter, field, storage));
  return (source, args, context, info) =>
    method.apply(
      instance,
      readers.map((read) => read(source, args, context, info)),
    );
}

function readerOf(parameter: Parameter, field: AnyField, storage: Storage): Resolve {
  switch (parameter.kind) {
    case "context":
      return (_source, _args, context) => context;
    case "root":
      return (source) => source;
    case "info":
      return (_source, _args, _context, info) => info;
    case "arg": {
      const { name } = parameter;
      return (_source, args) => args[name];
    }
    case "args": {
      const names = argumentNames(parameter.getType(), storage);
      // Usually these are all arguments of the field.
      if (field.args.every(({ name }) => names.includes(name))) return (_source, args) => args;
      return (_source, args) => {
        const picked: Record<string, unknown> = {};
        for (const name of names) if (args[name] !== undefined) picked[name] = args[name];
        return picked;
      };
    }
    default:
      throw new Error(`parameters of kind ${parameter.kind} are not known`);
  }
}

/** The arguments that a class declares or inherits. */
function argumentNames(type: unknown, { argumentTypes }: Storage): readonly string[] {
  const names: string[] = [];
  for (let at = type; typeof at === "function"; at = Object.getPrototypeOf(at))
    names.push(...(argumentTypes.find(({ target }) => target === at)?.fields ?? []).map(({ name }) => name));
  return names;
}

function instanceOf(target: Class, instances: Map<Class, object>): object {
  const instance = instances.get(target) ?? Reflect.construct(target, []);
  instances.set(target, instance);
  return instance;
}
