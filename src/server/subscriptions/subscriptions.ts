import type { Server } from "node:http";
import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from "graphql";
import type { Clock } from "../../clock.js";
import type { StreamEvent } from "../../datasources/streams/index.js";
import { formatError } from "../formatError.js";
import { FanOut } from "./fanOut.js";
import type { Attempt } from "./group.js";
import type { DeliveryCounts } from "./member.js";
import type { GroupEvent } from "./pace.js";
import { SOCKET_LIMITS, type SocketLimits, type SocketServer, serveSockets } from "./socketServer.js";

/** What the context of an operation over a socket tells about its stream. */
export interface StreamingContext {
  readonly seat: {
    readonly hasState: boolean;
    readonly event: Pick<StreamEvent<unknown>, "kind" | "time" | "stale"> | undefined;
  };
}

export interface SubscriptionOptions {
  readonly schema: GraphQLSchema;
  /** A context for one operation over a socket. */
  readonly contextFor: () => StreamingContext;
  readonly clock: Clock;
  readonly counts: DeliveryCounts;
  /** A mutation came over a socket. */
  readonly written: () => void;
  readonly report: (error: unknown) => void;
  readonly limits?: Partial<SocketLimits>;
}

export interface Subscriptions extends SocketServer {
  readonly fanOut: FanOut;
}

/** Everybody who can reach the port. */
const ANYONE = "anyone";

/** Serves subscriptions, and other operations, over the sockets of an HTTP server. */
export function serveSubscriptions(server: Server, options: SubscriptionOptions): Subscriptions {
  const { schema, clock, counts, contextFor } = options;
  const fanOut = new FanOut(schema, clock, counts);
  const sockets = serveSockets(server, {
    ...options,
    fanOut,
    principal: ANYONE,
    limits: { ...SOCKET_LIMITS, ...options.limits },
    attempt: (args) => attempt(args, contextFor()),
  });
  return {
    fanOut,
    get connections() {
      return sockets.connections;
    },
    close: () => sockets.close(),
  };
}

/** One operation with a context of its own, and what its stream says of itself. */
export const attempt = (args: ExecutionArgs, context: StreamingContext): Attempt => ({
  args: { ...args, contextValue: context },
  hasState: () => context.seat.hasState,
  toEvent: (result) => eventOf(result, context),
});

function eventOf({ data = null, errors }: ExecutionResult, { seat: { event } }: StreamingContext): GroupEvent {
  return {
    text: JSON.stringify(errors === undefined ? { data } : { data, errors: errors.map(formatError) }),
    notes:
      event === undefined
        ? ""
        : `"stream":${JSON.stringify({ kind: event.kind, time: new Date(event.time).toISOString(), stale: event.stale })}`,
    missed: 0,
  };
}
