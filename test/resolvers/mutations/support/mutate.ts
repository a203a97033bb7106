import type { LiveGraph } from "../../support/liveGraph.js";

/** An enum value in an input, written without quotes. */
export class Word {
  constructor(readonly name: string) {}
}

export const w = (name: string): Word => new Word(name);

type Literal = string | number | boolean | null | Word | readonly Literal[] | { readonly [field: string]: Literal | undefined };
export type Input = { readonly [field: string]: Literal | undefined };

/** An input in GraphQL syntax. Undefined fields are omitted. */
export function literal(value: Literal): string {
  if (value instanceof Word) return value.name;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one: Literal) => literal(one)).join(", ")}]`;
  const fields = Object.entries(value).flatMap(([name, part]) => (part === undefined ? [] : [`${name}: ${literal(part)}`]));
  return `{ ${fields.join(", ")} }`;
}

const COMMON = `outcome userErrors { code message field isRetryable exchange { code msg } }
  request { method path body } journalEntry { id endpoint parameters status }`;

/** Runs one mutation and resolves to its payload; throws if there is none. */
export async function mutate(live: LiveGraph, name: string, input: Input, selection = "") {
  const { data, errors } = await live.while(
    live.run(`mutation { ${name}(input: ${literal(input)}) { ${COMMON} ${selection} } }`),
  );
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  return data[name];
}

/** The request that was sent, from the payload's journal entry. */
export const sentBy = ({
  journalEntry: { endpoint, parameters },
}: {
  readonly journalEntry: { readonly endpoint: string; readonly parameters: Readonly<Record<string, string>> };
}): Readonly<Record<string, string>> => ({ ...JSON.parse(JSON.stringify(parameters)), endpoint });
