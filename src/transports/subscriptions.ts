import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Clock } from "@exchange-graph/contract/clock";
import type { ExecutionArgs, ExecutionResult, GraphQLError, GraphQLSchema } from "graphql";
import type { Callers } from "../access/callers.js";
import type { AuditTrail } from "../access/principal/auditTrail.js";
import type { CallerBudgets } from "../access/quotas/callerBudgets.js";
import { CallerSeats } from "../access/quotas/callerSeats.js";
import type { Trace } from "../datasources/reads/trace.js";
import type { Progress } from "../datasources/streams/eventQueue.js";
import type { StreamEvent } from "../datasources/streams/index.js";
import type { OperationCosts } from "../engine/cost/operationCosts.js";
import type { DocumentPolicy } from "../engine/documents/documentPolicy.js";
import { formatError } from "../engine/errors/formatError.js";
import { refusalsIn } from "../engine/errors/refusalCodes.js";
import { shownErrors } from "../engine/errors/shownErrors.js";
import { FanOut } from "../engine/subscriptions/fanOut.js";
import type { Attempt } from "../engine/subscriptions/group.js";
import type { DeliveryCounts } from "../engine/subscriptions/member.js";
import { Operations } from "../engine/subscriptions/operation.js";
import type { GroupEvent } from "../engine/subscriptions/pace.js";
import type { AllowedOrigins } from "./http/allowedOrigins.js";
import type { ContextFor } from "./http/apollo/graphqlAnswers.js";
import type { ServedNames } from "./http/servedNames.js";
import type { Shedding } from "./http/shedding.js";
import type { Execution } from "./shared/execution.js";
import { EventStreams } from "./sse/eventStreams.js";
import { SOCKET_LIMITS, type SocketLimits, type SocketServer, serveSockets } from "./websocket/socketServer.js";

/** What the context of an operation over a socket tells about its stream. */
export interface StreamingContext {
  readonly reads: { readonly trace: Pick<Trace, "upstreamCalls"> };
  readonly seat: {
    readonly pace: { readonly mode: "ALL" | "LATEST"; readonly everyMs?: number | null | undefined };
    readonly hasState: boolean;
    readonly progress: Progress;
    readonly event: Pick<StreamEvent<unknown>, "kind" | "time" | "stale"> | undefined;
  };
}

interface SubscriptionOptions {
  readonly schema: GraphQLSchema;
  readonly callers: Callers;
  readonly documents: DocumentPolicy;
  readonly costs: OperationCosts;
  readonly budgets: CallerBudgets;
  readonly origins: AllowedOrigins;
  readonly names: ServedNames;
  /** Takes sockets that never said hello. */
  readonly shedding: Shedding;
  /** A context for one operation over a socket. */
  readonly contextFor: ContextFor<StreamingContext>;
  readonly clock: Clock;
  readonly counts: DeliveryCounts;
  /** A mutation came over a socket and has ended. */
  readonly written: () => void;
  /** Notes those errors of an operation that nobody foresaw. */
  readonly unexpected: (errors: readonly GraphQLError[]) => void;
  /** A connection failed. */
  readonly report: (error: unknown) => void;
  readonly audit: AuditTrail;
  readonly nextRequestId: () => string;
  readonly maxBodyBytes: number;
  readonly limits?: Partial<SocketLimits>;
}

/** Sockets and event streams of one server. */
export interface Subscriptions extends SocketServer {
  readonly fanOut: FanOut;
  /** Answers a request for an event stream. */
  stream(request: IncomingMessage, response: ServerResponse): void;
}

/** Serves subscriptions, and other operations, over the sockets of an HTTP server and as event streams. */
export function serveSubscriptions(server: Server, options: SubscriptionOptions): Subscriptions {
  const { clock, audit, nextRequestId, unexpected, report } = options;
  const fanOut = new FanOut(clock, options.counts);
  const show = shownErrors(options.documents);
  const limits = { ...SOCKET_LIMITS, ...options.limits };
  const execution: Execution = {
    callers: options.callers,
    seats: new CallerSeats(limits.connectionsPerCaller),
    operations: new Operations(options),
    fanOut,
    attempt: (args, ...asking) => attempt(args, options.contextFor(...asking), unexpected),
    clock,
    written: options.written,
    audit,
    nextRequestId,
    origins: options.origins,
    names: options.names,
    shedding: options.shedding,
    shown(errors, origin) {
      unexpected(errors);
      const answered = errors.map(show);
      const refusals = refusalsIn({ errorCodes: answered.map(({ extensions }) => String(extensions?.code)) }, 200);
      if (refusals.length > 0) audit.refused(origin, undefined, refusals);
      return answered;
    },
  };
  const sockets = serveSockets(server, execution, limits, report);
  const streams = new EventStreams(execution, { ...limits, maxBodyBytes: options.maxBodyBytes }, report);
  return {
    fanOut,
    get connections() {
      return sockets.connections + streams.open;
    },
    stream: (request, response) => streams.serve(request, response),
    async close() {
      streams.close();
      await sockets.close();
    },
  };
}

/** One operation with a context of its own, and what its stream says of itself. */
function attempt(args: ExecutionArgs, context: StreamingContext, unexpected: SubscriptionOptions["unexpected"]): Attempt {
  const { seat, reads } = context;
  return {
    args: { ...args, contextValue: context },
    get upstreamCalls() {
      return reads.trace.upstreamCalls;
    },
    stream: {
      get pace() {
        const { mode, everyMs } = seat.pace;
        return mode === "ALL" ? { mode } : { mode, everyMs: everyMs ?? 0 };
      },
      get hasState() {
        return seat.hasState;
      },
      get received() {
        return seat.progress.received;
      },
    },
    toEvent(result) {
      if (result.errors !== undefined) unexpected(result.errors);
      return eventOf(result, seat);
    },
  };
}

function eventOf({ data = null, errors }: ExecutionResult, { event, progress }: StreamingContext["seat"]): GroupEvent {
  return {
    number: progress.taken,
    text: JSON.stringify(errors === undefined ? { data } : { data, errors: errors.map(formatError) }),
    notes:
      event === undefined
        ? ""
        : `"stream":${JSON.stringify({ kind: event.kind, time: new Date(event.time).toISOString(), stale: event.stale })}`,
    missed: progress.skipped,
  };
}
