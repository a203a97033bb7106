import { type GraphQLFieldResolver, type GraphQLSchema, getNamedType, isInputObjectType } from "graphql";
import { Extensions } from "type-graphql";
import { z } from "zod";
import { Fault, type FaultCode } from "../../datasources/index.js";
import type { MutationEnd } from "../../instrumentation/events.js";
import type { RequestContext } from "../context.js";

/** Maximum length of texts from clients; longer ones are cut. */
const MAX_TEXT = 128;

const fields = z.record(z.string(), z.unknown());
const mutationArgs = z.object({ input: fields });

const payload = z.object({
  account: z.object({ name: z.string() }).optional(),
  outcome: z.enum(["ACCEPTED", "REJECTED", "UNKNOWN"]).nullable(),
  userErrors: z.array(z.object({ code: z.string() })),
  journalEntry: z.object({ seq: z.string() }).nullable(),
  isUnjournaled: z.boolean(),
});

type Resolve = GraphQLFieldResolver<unknown, RequestContext>;

/**
 * Declares the arguments of a mutation that the audit records in addition to the account. The schema cannot be built with a
 * mutation that declares none.
 */
export const Audited = (...subject: readonly string[]): MethodDecorator => Extensions({ subject });

declare module "graphql" {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    readonly subject?: readonly string[];
  }
}

/**
 * Publishes the end of every mutation. It wraps the schema's resolvers outside all other wrappers, so that forbidden mutations
 * are published too. Throws if a mutation does not declare its subject, or declares an argument that its input does not have.
 */
export function observeMutations(graph: GraphQLSchema): void {
  for (const field of Object.values(graph.getMutationType()?.getFields() ?? {})) {
    const { resolve, args, extensions } = field;
    const input = args[0] && getNamedType(args[0].type);
    const fields = isInputObjectType(input) ? input.getFields() : {};
    const { subject } = extensions;
    if (subject === undefined || subject.some((name) => fields[name] === undefined))
      throw new Error(`${field.name} does not declare which arguments of its input the audit has`);
    if (resolve !== undefined) field.resolve = observed(resolve, subject);
  }
}

const observed =
  (resolve: Resolve, subject: readonly string[]): Resolve =>
  async (source, args, context, info) => {
    const { trace } = context.reads;
    const callsBefore = trace.upstreamCalls;
    const report = (ended: Pick<MutationEnd, "outcome" | "codes" | "write" | "withoutJournal">, account: string | null): void =>
      context.author?.ended({
        mutation: info.fieldName,
        account,
        subject: subjectOf(subject, inputOf(args)),
        ...ended,
        upstreamCalls: trace.upstreamCalls - callsBefore,
      });
    try {
      const result: unknown = await resolve(source, args, context, info);
      const { account, outcome, userErrors, journalEntry, isUnjournaled } = payload.parse(result);
      const codes = userErrors.map(({ code }) => code);
      const write = journalEntry?.seq ?? null;
      report({ outcome: outcome ?? "DRY_RUN", codes, write, withoutJournal: isUnjournaled }, account?.name ?? namedIn(args));
      return result;
    } catch (error) {
      const code: FaultCode = error instanceof Fault ? error.code : "INTERNAL_SERVER_ERROR";
      report({ outcome: "FAILED", codes: [code], write: null, withoutJournal: false }, namedIn(args));
      throw error;
    }
  };

const inputOf = (args: unknown): Readonly<Record<string, unknown>> => mutationArgs.safeParse(args).data?.input ?? {};

const namedIn = (args: unknown): string | null => {
  const { account } = inputOf(args);
  return typeof account === "string" ? account.slice(0, MAX_TEXT) : null;
};

/** The values of these fields, and in place of an object its own. */
function subjectOf(names: readonly string[], input: Readonly<Record<string, unknown>>): MutationEnd["subject"] {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = input[name];
      const inner = fields.safeParse(value).data;
      if (inner !== undefined) return Object.entries(subjectOf(Object.keys(inner), inner));
      if (typeof value === "boolean") return [[name, String(value)]];
      return typeof value === "string" ? [[name, value.slice(0, MAX_TEXT)]] : [];
    }),
  );
}
