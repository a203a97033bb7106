import type { IncomingMessage } from "node:http";
import { type ExecutionArgs, GraphQLError } from "graphql";
import { CloseCode, type ConnectionInitMessage, makeServer } from "graphql-ws";
import type { WebSocket } from "ws";
import { ClientRequester, clientOf } from "../../access/clientRequester.js";
import { bearerIn, bearerOf } from "../../access/principal/bearer.js";
import type { ClientPrincipal } from "../../access/principal/clientPrincipal.js";
import { Attendance } from "../../access/principal/presence.js";
import { traceContextOf, traceparentIn } from "../../access/principal/traceContext.js";
import { Fault } from "../../datasources/index.js";
import type { Result } from "../../engine/answers/result.js";
import type { ReadyOperation } from "../../engine/askedOperation.js";
import { operationIn } from "../../engine/documents/operationRequest.js";
import { badRequest } from "../../engine/errors/coded.js";
import type { Backlog } from "../../engine/subscriptions/subscriberSink.js";
import type { Origin } from "../../instrumentation/events.js";
import { type Execution, MAX_ID_LENGTH } from "../shared/execution.js";
import { closeSocket, SocketSink } from "./socketSink.js";

/** Close code for a socket with too many operations. */
const TOO_MANY_OPERATIONS = 4430;

/** Close code for a socket beyond the client's maximum. */
const TOO_MANY_SOCKETS = 4431;

interface ProtocolLimits {
  /** Operations at the same time on one socket. */
  readonly operations: number;
  /** Timeout of `connection_init`, in ms. */
  readonly connectionInitMs: number;
}

interface Extra {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly requestId: string;
  /** Set by `connection_init`; no operation runs before. */
  principal: ClientPrincipal | undefined;
  token: string | undefined;
  /** The client's trace context, from `connection_init`. */
  traceparent?: string | undefined;
  /** Whether answers include the trace and the cost. */
  readonly isTraced: boolean;
  /** The running operations by id. */
  readonly places: Map<string, RunningOperation>;
  readonly backlog: Backlog;
  /** Sends a message, unless the socket has too many unsent bytes. */
  readonly send: (message: string) => Promise<void>;
}

/** One operation on a socket. */
interface RunningOperation {
  readonly id: string;
  readonly send: Extra["send"];
  readonly ready: ReadyOperation;
  readonly presence: Attendance;
  /** Whether the client has ended it or disconnected. */
  readonly isGone: () => boolean;
  readonly sink: SocketSink;
  /** The client has ended it and reused its id. */
  isOver: boolean;
}

/**
 * `graphql-transport-ws`: `graphql-ws` implements the protocol (initialisation, pings, duplicate ids, completion). `next`
 * messages are written here, because the engine returns results as text.
 */
export function socketProtocol(execution: Execution, limits: ProtocolLimits) {
  const { clients, connectionQuota, engine, clock, instrumentation } = execution;
  const placeOf = new WeakMap<object, RunningOperation>();
  /** Errors for which the engine has a complete result. */
  const refused = new WeakMap<readonly GraphQLError[], Result>();
  const place = (args: ExecutionArgs): RunningOperation => {
    const found = placeOf.get(args);
    if (found === undefined) throw new Error("an operation without a place");
    return found;
  };
  return makeServer<ConnectionInitMessage["payload"], Extra>({
    connectionInitWaitTimeout: limits.connectionInitMs,
    async onConnect({ extra, connectionParams }) {
      const { socket, request } = extra;
      const token = bearerIn(connectionParams) ?? bearerOf(request.headers.authorization);
      const end = (why: Fault): void => {
        instrumentation.refusal.publish({ origin: originOf(extra), operation: undefined, codes: [why.code] });
        closeSocket(socket, why.code === "FORBIDDEN" ? CloseCode.Forbidden : CloseCode.Unauthorized, why.message, clock);
      };
      const principal = await clients.identify(token);
      if (principal instanceof Fault) {
        end(principal);
        return false;
      }
      if (socket.readyState !== socket.OPEN) return false;
      if (!(await connectionQuota.take(principal.id, socket))) {
        instrumentation.refusal.publish({ origin: originOf(extra), operation: undefined, codes: ["RATE_LIMITED"] });
        closeSocket(socket, TOO_MANY_SOCKETS, `more than ${connectionQuota.limit} sockets at once`, clock);
        return false;
      }
      extra.principal = principal;
      extra.token = token;
      extra.traceparent = traceparentIn(connectionParams?.traceparent) ?? traceContextOf(request).traceparent;
      socket.once("close", () => {
        for (const { presence } of extra.places.values()) presence.leave();
      });
      if (socket.readyState === socket.OPEN) socket.once("close", clients.watch(token, principal, end));
      return true;
    },
    onSubscribe: ({ extra, subscriptions }, id, asked) => {
      const { socket, request, principal, token, places, backlog, isTraced, send } = extra;
      if (principal === undefined) throw new Error("an operation before its socket has said hello");
      if (Object.keys(subscriptions).length > limits.operations) {
        const reason = `more than ${limits.operations} operations at once`;
        closeSocket(socket, TOO_MANY_OPERATIONS, reason, clock);
        return [new GraphQLError(reason, { extensions: { code: "RATE_LIMITED", retryable: true } })];
      }
      if (id.length > MAX_ID_LENGTH) {
        closeSocket(socket, CloseCode.BadRequest, `an id of more than ${MAX_ID_LENGTH} characters`, clock);
        return [new GraphQLError("the id is too long", { extensions: { code: "BAD_REQUEST" } })];
      }
      const presence = new Attendance();
      const stillAsked = {
        get isGone() {
          return presence.isGone || !Object.hasOwn(subscriptions, id);
        },
        onceGone: (task: () => void) => presence.onceGone(task),
      };
      const client = clientOf(principal, request.socket.remoteAddress);
      const requester = new ClientRequester(clients, token, principal, client, stillAsked);
      const asking = { principal, requester, origin: originOf(extra) };
      const operation = operationIn(asked, engine.documents) ?? NO_OPERATION;
      const ready =
        operation instanceof GraphQLError
          ? engine.failed(operation, asking)
          : engine.read({ ...asking, operation: isTraced ? { ...operation, isTraced } : operation });
      if ("text" in ready) {
        refused.set(ready.errors, ready);
        return ready.errors;
      }
      const before = places.get(id);
      if (before !== undefined) {
        before.isOver = true;
        before.presence.leave();
      }
      const sink = new SocketSink(id, socket, request.socket, backlog, clock);
      const taken: RunningOperation = { id, send, ready, presence, isGone: () => stillAsked.isGone, sink, isOver: false };
      places.set(id, taken);
      const args = { schema: engine.schema, document: ready.document, operationName: ready.request.operationName };
      placeOf.set(args, taken);
      return args;
    },
    async execute(args: ExecutionArgs) {
      const own = place(args);
      const result = await engine.run(own.ready);
      return own.isOver ? await never() : sent(own, result);
    },
    async subscribe(args: ExecutionArgs) {
      const own = place(args);
      const joined = await engine.subscribe(own.ready, own.sink);
      if (!own.isOver) return "text" in joined ? sent(own, joined) : joined;
      if ("next" in joined) await joined.return();
      return never();
    },
    onError({ extra }, id, _payload, errors) {
      extra.places.delete(id);
      return refused.get(errors)?.shown ?? engine.shown(errors.map(withPlace), { origin: originOf(extra) });
    },
    onComplete({ extra: { places } }, id) {
      places.delete(id);
    },
  });
}

/** `graphql-ws` wraps the error of a stream and drops its path. */
const withPlace = (error: GraphQLError): GraphQLError =>
  error.originalError instanceof GraphQLError && error.originalError.path !== undefined ? error.originalError : error;

/**
 * Called after each message: cancels an operation that its client has ended, with its queued calls. `graphql-ws` itself notices
 * only at the next result.
 */
export function leaveEnded({ places }: Pick<Extra, "places">): void {
  for (const { presence, isGone } of places.values()) if (isGone()) presence.leave();
}

const originOf = ({ principal, request, requestId, traceparent }: Extra): Origin => ({
  who: principal?.id ?? null,
  address: request.socket.remoteAddress,
  over: "websocket",
  requestId,
  traceparent,
});

/**
 * Never completes, for an operation whose id has been reused: `graphql-ws` identifies operations by id alone and would end the
 * other one too.
 */
const never = (): Promise<never> => new Promise(() => undefined);

const NO_OPERATION = badRequest("The message holds no GraphQL operation.");

/** A stream without events: the result is sent as soon as `graphql-ws` has checked that it is still wanted. */
function sent({ id, send }: RunningOperation, { text }: Result): AsyncGenerator<never, void, void> {
  const end = async (): Promise<IteratorReturnResult<void>> => ({ done: true, value: undefined });
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      await send(`{"id":${JSON.stringify(id)},"type":"next","payload":${text}}`);
      return end();
    },
    return: end,
    throw: end,
  };
}
