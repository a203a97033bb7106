import {
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from "graphql";

/** A pseudorandom sequence of numbers from 0 to 1, determined by the seed. */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function oneOf<T>(random: Random, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error("nothing to choose from");
  return value;
}

export interface RandomDocumentOptions {
  readonly schema: GraphQLSchema;
  readonly random: Random;
  /** Maximum number of fields of an operation, and maximum depth. */
  readonly fields?: number;
  readonly depth?: number;
  /** Possible values of text arguments, by argument name. */
  readonly texts?: Readonly<Record<string, readonly string[]>>;
}

/** Generates valid operations of a schema with random fields, aliases, fragments, directives and variables. */
export class RandomOperations {
  readonly #fragments: string[] = [];
  readonly #variables = new Map<string, string>();
  #left: number;

  constructor(private readonly options: RandomDocumentOptions) {
    this.#left = options.fields ?? 40;
  }

  /** An operation on this root type, with the values of its variables. */
  write(
    root: GraphQLObjectType,
    kind: "query" | "mutation" | "subscription",
  ): { query: string; variables: Record<string, unknown> } {
    const isSingle = kind === "subscription";
    const selection = this.#selection(root, this.options.depth ?? 6, isSingle);
    const variables = [...this.#variables].map(([name, type]) => `$${name}: ${type}`).join(", ");
    const header = `${kind} Random${variables === "" ? "" : `(${variables})`}`;
    return { query: `${header} ${selection} ${this.#fragments.join(" ")}`, variables: this.#values };
  }

  readonly #values: Record<string, unknown> = {};

  #selection(type: GraphQLCompositeType, depth: number, isSingle = false): string {
    const { random, schema } = this.options;
    if (isAbstractType(type)) {
      const possible = oneOf(random, schema.getPossibleTypes(type));
      return `{ __typename ... on ${possible.name} ${this.#selection(possible, depth)} }`;
    }
    const fields = Object.values(type.getFields()).filter(({ type: of }) => depth > 1 || isLeafType(getNamedType(of)));
    const parts: string[] = [];
    const count = isSingle ? 1 : 1 + Math.floor(random() * 5);
    for (let at = 0; at < count && (this.#left > 0 || at === 0); at++) {
      if (fields.length === 0) break;
      this.#left--;
      parts.push(this.#field(oneOf(random, fields), depth, isSingle));
    }
    if (parts.length === 0) return "{ __typename }";
    const body = `{ ${parts.join(" ")} }`;
    if (isSingle || random() > 0.15) return body;
    const name = `F${this.#fragments.length}`;
    this.#fragments.push(`fragment ${name} on ${type.name} ${body}`);
    return `{ __typename ...${name} }`;
  }

  /** Each has a unique alias, so that no two fields of one selection conflict. */
  #field(field: GraphQLField<unknown, unknown>, depth: number, isSingle: boolean): string {
    const { random } = this.options;
    const given = field.args.flatMap((argument) => this.#argument(argument));
    const type = getNamedType(field.type);
    const selection = isCompositeType(type) ? ` ${this.#selection(type, depth - 1)}` : "";
    const directive = !isSingle && random() < 0.05 ? ` @${oneOf(random, ["skip", "include"])}(if: ${random() < 0.5})` : "";
    this.#aliases++;
    return `f${this.#aliases}: ${field.name}${given.length === 0 ? "" : `(${given.join(", ")})`}${directive}${selection}`;
  }
  #aliases = 0;

  #argument(argument: GraphQLArgument): readonly string[] {
    const { random } = this.options;
    const isNeeded = isNonNullType(argument.type) && argument.defaultValue === undefined;
    if (!isNeeded && random() < 0.5) return [];
    const value = this.#value(argument.name, argument.type);
    if (random() > 0.3) return [`${argument.name}: ${literal(value, argument.type)}`];
    const name = `v${this.#variables.size}`;
    this.#variables.set(name, String(argument.type));
    this.#values[name] = value;
    return [`${argument.name}: $${name}`];
  }

  #value(name: string, type: GraphQLInputType): unknown {
    const { random, texts = {} } = this.options;
    if (isNonNullType(type)) return this.#value(name, type.ofType);
    if (isListType(type)) return Array.from({ length: Math.floor(random() * 4) }, () => this.#value(name, type.ofType));
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields());
      if (type.isOneOf) {
        const field = oneOf(random, fields);
        return { [field.name]: this.#value(field.name, field.type) };
      }
      return Object.fromEntries(
        fields
          .filter((field) => (isNonNullType(field.type) && field.defaultValue === undefined) || random() < 0.4)
          .map((field) => [field.name, this.#value(field.name, field.type)]),
      );
    }
    if (isEnumType(type)) return oneOf(random, type.getValues()).name;
    if (type.name === "Boolean") return random() < 0.5;
    if (type.name === "Int") return oneOf(random, [1, 2, 5, 20, 50, 100]);
    if (type.name === "DateTime") return new Date(Date.UTC(2028, 4, 31) - Math.floor(random() * 85 * 86_400_000)).toISOString();
    if (type.name === "Decimal") return oneOf(random, ["1", "0.5", "1000"]);
    return oneOf(random, texts[name] ?? ["BTCUSDT", "BTC", "1"]);
  }
}

/** A value as a literal in a document. */
function literal(value: unknown, type: GraphQLInputType): string {
  if (isNonNullType(type)) return literal(value, type.ofType);
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, isListType(type) ? type.ofType : type)).join(", ")}]`;
  if (isInputObjectType(type) && typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .flatMap(([name, one]) => {
        const field = type.getFields()[name];
        return field === undefined ? [] : [`${name}: ${literal(one, field.type)}`];
      })
      .join(", ")} }`;
  return isEnumType(type) ? String(value) : JSON.stringify(value);
}
