import type { IncomingMessage } from "node:http";
import { type ExecutionArgs, type ExecutionResult, execute, GraphQLError, type GraphQLFormattedError } from "graphql";
import { CloseCode, type ConnectionInitMessage, makeServer } from "graphql-ws";
import type { WebSocket } from "ws";
import type { Clock } from "../../clock.js";
import { Fault } from "../../datasources/index.js";
import type { MutationObserver } from "../../resolvers/index.js";
import type { Caller } from "../caller.js";
import { bearerIn, bearerOf } from "../callers/bearer.js";
import type { Callers } from "../callers/callers.js";
import type { AllowedOrigins } from "../limits/allowedOrigins.js";
import type { CallerSeats } from "../limits/callerSeats.js";
import type { ServedNames } from "../limits/servedNames.js";
import type { Shedding } from "../limits/shedding.js";
import type { Audit, Origin } from "../logs/audit.js";
import { type FanOut, groupKey } from "./fanOut.js";
import type { Attempt } from "./group.js";
import { isMutation, isSubscription, type Operations } from "./operation.js";
import { type Backlog, closeSocket, MAX_OWED_BYTES, SocketOutlet, TOO_SLOW } from "./outlet.js";

/** Close code of a socket that holds more operations than it may. */
const TOO_MANY_OPERATIONS = 4430;

/** Close code of a socket beyond those that its caller may hold. */
const TOO_MANY_SOCKETS = 4431;

/** Every message of an operation carries its id: longer ones help nobody. */
export const MAX_ID_LENGTH = 200;

/** How operations are run, whatever they came over. */
export interface Execution {
  readonly callers: Callers;
  /** For sockets and event streams together. */
  readonly seats: CallerSeats;
  readonly operations: Operations;
  readonly fanOut: FanOut;
  /** One operation of this caller: its context, and what its stream says of itself. */
  readonly attempt: (args: ExecutionArgs, caller: Caller, mutations?: MutationObserver) => Attempt;
  readonly clock: Clock;
  /** A mutation has ended: nothing that was read before it is passed on. */
  readonly written: () => void;
  readonly audit: Audit;
  readonly nextRequestId: () => string;
  readonly origins: AllowedOrigins;
  readonly names: ServedNames;
  /** Takes sockets that never said hello. */
  readonly shedding: Shedding;
  /** The errors of an answer as its caller may see them. What was refused, and what nobody foresaw, is written down. */
  readonly shown: (errors: readonly GraphQLError[], origin: Origin) => readonly GraphQLFormattedError[];
}

interface ProtocolLimits {
  /** Operations at the same time on one socket. */
  readonly operations: number;
  /** How long a socket may take to say hello. */
  readonly helloMs: number;
}

interface Extra {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly requestId: string;
  /** Known once the socket has said hello; nothing runs before. */
  caller: Caller | undefined;
  /** What runs under each id. */
  readonly places: Map<string, Place>;
  readonly backlog: Backlog;
}

/** One operation on a socket. */
interface Place {
  readonly key: string;
  readonly caller: Caller;
  readonly outlet: SocketOutlet;
  readonly isMutation: boolean;
  /** It has ended, and has cost what it has. */
  readonly settle: () => void;
  /** The client has ended it and taken its id for something else. */
  isOver: boolean;
}

/**
 * The protocol `graphql-transport-ws` (hello, pings, duplicate ids, completion) is `graphql-ws`'s; of subscriptions
 * only the `next` messages are ours, see `FanOut`.
 */
export function socketProtocol(execution: Execution, limits: ProtocolLimits) {
  const { callers, seats, operations, fanOut, clock, audit, shown } = execution;
  const placeOf = new WeakMap<object, Place>();
  const place = (args: ExecutionArgs): Place => {
    const found = placeOf.get(args);
    if (found === undefined) throw new Error("an operation without a place");
    return found;
  };
  return makeServer<ConnectionInitMessage["payload"], Extra>({
    connectionInitWaitTimeout: limits.helloMs,
    async onConnect({ extra, connectionParams }) {
      const { socket, request } = extra;
      const token = bearerIn(connectionParams) ?? bearerOf(request.headers.authorization);
      const end = (why: Fault): void => {
        audit.refused(originOf(extra), undefined, [why.code]);
        closeSocket(socket, why.code === "FORBIDDEN" ? CloseCode.Forbidden : CloseCode.Unauthorized, why.message, clock);
      };
      const caller = await callers.identify(token);
      if (caller instanceof Fault) {
        end(caller);
        return false;
      }
      if (!seats.take(caller.principal, socket)) {
        audit.refused(originOf(extra), undefined, ["RATE_LIMITED"]);
        closeSocket(socket, TOO_MANY_SOCKETS, `more than ${seats.limit} sockets at once`, clock);
        return false;
      }
      extra.caller = caller;
      if (socket.readyState === socket.OPEN) socket.once("close", callers.watch(token, caller, end));
      return true;
    },
    onSubscribe: ({ extra, subscriptions }, id, asked) => {
      const { socket, request, caller, places, backlog } = extra;
      if (caller === undefined) throw new Error("an operation before its socket has said hello");
      if (Object.keys(subscriptions).length > limits.operations) {
        const reason = `more than ${limits.operations} operations at once`;
        closeSocket(socket, TOO_MANY_OPERATIONS, reason, clock);
        return [new GraphQLError(reason, { extensions: { code: "RATE_LIMITED", retryable: true } })];
      }
      if (id.length > MAX_ID_LENGTH) {
        closeSocket(socket, CloseCode.BadRequest, `an id of more than ${MAX_ID_LENGTH} characters`, clock);
        return [new GraphQLError("the id is too long", { extensions: { code: "BAD_REQUEST" } })];
      }
      const read = operations.read(asked, caller.principal);
      if (!("args" in read)) return read;
      const before = places.get(id);
      if (before !== undefined) before.isOver = true;
      // A subscription pays for the first of its events, whoever else shares them: its attempt is its group's.
      const attempt = isSubscription(read) ? undefined : execution.attempt(read.args, caller, audit.mutationsOf(originOf(extra)));
      const { args } = attempt ?? read;
      const taken: Place = {
        key: groupKey(caller, read.args, asked.query),
        caller,
        outlet: new SocketOutlet(id, socket, request.socket, backlog, clock),
        isMutation: isMutation(read),
        settle: () => attempt && read.admission.ended(attempt.upstreamCalls),
        isOver: false,
      };
      places.set(id, taken);
      placeOf.set(args, taken);
      return args;
    },
    async execute(args: ExecutionArgs) {
      const own = place(args);
      try {
        const result = await execute(args);
        return own.isOver ? await never() : result;
      } finally {
        own.settle();
        if (own.isMutation) execution.written();
      }
    },
    async subscribe(args: ExecutionArgs): Promise<AsyncGenerator<ExecutionResult> | ExecutionResult> {
      const own = place(args);
      const joined = await fanOut
        .join(own.key, () => execution.attempt(args, own.caller.asListener), own.outlet)
        .catch((error: unknown): ExecutionResult => ({ errors: [asGraphqlError(error)] }));
      if (!own.isOver) return joined;
      if (Symbol.asyncIterator in joined) await joined.return();
      return never();
    },
    onNext({ extra }, _id, _payload, _args, { data = null, errors }) {
      return errors === undefined ? undefined : { data, errors: shown(errors, originOf(extra)) };
    },
    onError({ extra }, id, _payload, errors) {
      extra.places.delete(id);
      return shown(errors, originOf(extra));
    },
    onComplete({ extra: { places } }, id) {
      places.delete(id);
    },
  });
}

const originOf = ({ caller, request, requestId }: Extra): Origin => ({
  who: caller?.principal ?? null,
  address: request.socket.remoteAddress,
  over: "websocket",
  requestId,
});

/**
 * The end of an operation whose id has been taken for another one: `graphql-ws` tells operations apart by their id
 * alone, and would end the other one with it.
 */
const never = (): Promise<never> => new Promise(() => undefined);

/** As graphql-js would have it, with what a fault says of itself. */
export function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}

/** What `graphql-ws` throws when a client sends what only servers send. */
const WRONG_WAY = /^Unexpected message of type \w+ received$/;

/** Connects a socket to the protocol, and finds out when its other end is gone. */
export function serveSocket(
  protocol: ReturnType<typeof socketProtocol>,
  socket: WebSocket,
  request: IncomingMessage,
  {
    clock,
    shedding,
    keepAliveMs,
    requestId,
    report,
  }: {
    readonly clock: Clock;
    readonly shedding: Shedding;
    readonly keepAliveMs: number;
    readonly requestId: string;
    readonly report: (error: unknown) => void;
  },
): void {
  const fail = (error: unknown): void => {
    if (error instanceof Error && WRONG_WAY.test(error.message)) {
      closeSocket(socket, CloseCode.BadRequest, error.message, clock);
      return;
    }
    report(error);
    closeSocket(socket, CloseCode.InternalServerError, "Internal server error", clock);
  };
  // Whoever has said nothing at all so far is told why it ends, and not waited for.
  const shed = (reason: string): void =>
    shedding.add(request.socket, () => {
      socket.close(CloseCode.ConnectionInitialisationTimeout, reason);
      socket.terminate();
    });
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (text) =>
        new Promise((resolve, reject) => {
          const isTooSlow = socket.readyState === socket.OPEN && request.socket.writableLength > MAX_OWED_BYTES;
          if (isTooSlow) closeSocket(socket, TOO_SLOW, "too slow for what it asks for", clock);
          if (socket.readyState === socket.OPEN) socket.send(text, (error) => (error ? reject(error) : resolve()));
          else resolve();
        }),
      close: (code, reason) =>
        code === CloseCode.ConnectionInitialisationTimeout
          ? shed(reason ?? "")
          : closeSocket(socket, code ?? CloseCode.InternalServerError, reason ?? "", clock),
      onMessage: (handle) =>
        socket.on("message", (message) => {
          // What still comes after a socket was closed is not read.
          if (socket.readyState === socket.OPEN) void handle(String(message)).catch(fail);
        }),
    },
    { socket, request, requestId, caller: undefined, places: new Map(), backlog: { bytes: 0 } },
  );
  let isAlive = true;
  socket.on("pong", () => {
    isAlive = true;
  });
  const check = (): void => {
    if (!isAlive) {
      socket.terminate();
      return;
    }
    isAlive = false;
    socket.ping();
    cancelCheck = clock.after(keepAliveMs, check);
  };
  let cancelCheck = clock.after(keepAliveMs, check);
  socket.once("close", (code, reason) => {
    cancelCheck();
    closed(code, String(reason)).catch(report);
  });
}
