import type { DocumentNode, GraphQLFormattedError, OperationDefinitionNode } from "graphql";
import type { ErrorReports } from "../errors/errorReports.js";
import { formatError } from "../errors/formatError.js";
import type { CompiledQuery } from "../execution/compiledQuery.js";
import type { Pause } from "../execution/run.js";

/** What a query came to: its data as JSON, its errors as callers may see them. */
interface AnsweredQuery {
  readonly data: string;
  readonly errors?: readonly GraphQLFormattedError[];
}

/** A query that can be answered any number of times. */
export class ReadyQuery {
  constructor(
    private readonly query: CompiledQuery,
    private readonly log: ErrorReports,
    readonly document: DocumentNode,
    readonly operation: OperationDefinitionNode,
  ) {}

  get name(): string | undefined {
    return this.query.name;
  }

  /** `undefined` when the variables are wrong: graphql-js words that. */
  async answer(
    context: unknown,
    variables: Readonly<Record<string, unknown>>,
    requestId: string | undefined,
    pause?: Pause,
  ): Promise<AnsweredQuery | undefined> {
    const result = await this.query.execute(context, variables, pause);
    if (result === undefined) return undefined;
    const { data, errors } = result;
    if (errors.length === 0) return { data };
    // Apollo's own hook for errors is not called on this road, so they go to the same log from here.
    this.log.unexpected(errors, requestId, this.name);
    return { data, errors: errors.map(formatError) };
  }
}
