import type { ApolloServerPlugin, BaseContext, GraphQLRequestListener } from "@apollo/server";
import type { Source, Trace } from "../../../datasources/reads/trace.js";
import { TrackedRequest } from "./trackedRequest.js";

/** `extensions.exchange`: what was read from the exchange for an answer. Times in milliseconds. */
interface ExchangeExtension {
  /** Calls that left for the exchange because of this operation. */
  readonly upstreamCalls: number;
  readonly reads: readonly {
    readonly endpoint: string;
    /** Null for data that is nobody's own. */
    readonly account: string | null;
    readonly source: Source;
    readonly ageMs: number;
    readonly waitMs: number;
    readonly failed: boolean;
  }[];
  /** Reads that `reads` has no room for. */
  readonly omitted: number;
}

const shown = ({ reads, upstreamCalls, omitted }: Trace): ExchangeExtension => ({
  upstreamCalls,
  reads: reads.map(({ endpoint, account = null, ...read }) => ({ endpoint, account, ...read })),
  omitted,
});

/** Adds `extensions.exchange` to the answers of requests that ask for it, whichever road they took, errors included. */
export function exchangeExtension<Context extends BaseContext>(
  traceOf: (context: Context) => Trace,
): ApolloServerPlugin<Context> {
  const listener: GraphQLRequestListener<Context> = {
    async willSendResponse({ contextValue, response: { body } }) {
      if (body.kind !== "single") return;
      const { singleResult: result } = body;
      result.extensions = { ...result.extensions, exchange: shown(traceOf(contextValue)) };
    },
  };
  return {
    async requestDidStart({ request: { http } }) {
      return http instanceof TrackedRequest && http.caller.traced ? listener : undefined;
    },
  };
}
