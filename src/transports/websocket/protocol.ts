import { type ExecutionArgs, GraphQLError } from "graphql";
import { CloseCode, type ConnectionInitMessage, makeServer } from "graphql-ws";
import type { WebSocket } from "ws";
import { KEYS_MISSING } from "../../access/principal/bearer.js";
import { Fault } from "../../datasources/index.js";
import type { Result } from "../../engine/answers/result.js";
import type { ReadRequest } from "../../engine/documents/operationRequest.js";
import { badRequest } from "../../engine/errors/coded.js";
import type { AdmittedOperation } from "../../engine/operations/operations.js";
import type { Backlog } from "../../engine/subscriptions/subscriberSink.js";
import { type Arrival, EndablePresence } from "../arrival/arrival.js";
import { type ArrivalParts, MAX_ID_LENGTH } from "../arrival/arrivalParts.js";
import { closeSocket, SocketSink } from "./socketSink.js";

/** Close code for a socket with too many operations. */
const TOO_MANY_OPERATIONS = 4430;

/** Close code for a socket beyond the client's maximum. */
const TOO_MANY_SOCKETS = 4431;

/** Close code for a socket whose token cannot be checked now: the client should connect again. */
const TRY_AGAIN_LATER = 1013;

function closeCodeOf(why: Fault): number {
  if (why === KEYS_MISSING) return TRY_AGAIN_LATER;
  return why.code === "FORBIDDEN" ? CloseCode.Forbidden : CloseCode.Unauthorized;
}

interface ProtocolLimits {
  /** Operations at the same time on one socket. */
  readonly operations: number;
  /** Timeout of `connection_init`, in ms. */
  readonly connectionInitMs: number;
}

interface Extra {
  readonly socket: WebSocket;
  /** The request that opened the socket. `connection_init` identifies its client; no operation runs before. */
  readonly arrival: Arrival;
  readonly places: Map<string, RunningOperation>;
  readonly backlog: Backlog;
  /** Sends a message, unless the socket has too many unsent bytes. */
  readonly send: (message: string) => Promise<void>;
}

interface RunningOperation {
  readonly id: string;
  readonly send: Extra["send"];
  readonly ready: AdmittedOperation;
  readonly presence: EndablePresence;
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
export function socketProtocol({ connectionQuota, engine, clock }: ArrivalParts, limits: ProtocolLimits) {
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
    async onConnect({ extra: { socket, arrival, places }, connectionParams }) {
      const end = (why: Fault): void => {
        if (why !== KEYS_MISSING) arrival.refused(why.code);
        closeSocket(socket, closeCodeOf(why), why.message, clock);
      };
      arrival.present(connectionParams);
      const found = await arrival.identify();
      if (found instanceof Fault) {
        end(found);
        return false;
      }
      if (socket.readyState !== socket.OPEN) return false;
      if (!(await arrival.connect(socket))) {
        arrival.refused("RATE_LIMITED");
        closeSocket(socket, TOO_MANY_SOCKETS, `more than ${connectionQuota.limit} sockets at once`, clock);
        return false;
      }
      socket.once("close", () => {
        for (const { presence } of places.values()) presence.leave();
      });
      if (socket.readyState === socket.OPEN) socket.once("close", arrival.watch(end));
      return true;
    },
    onSubscribe: ({ extra, subscriptions }, id, message) => {
      const { socket, arrival, places, backlog, send } = extra;
      if (Object.keys(subscriptions).length > limits.operations) {
        const reason = `more than ${limits.operations} operations at once`;
        closeSocket(socket, TOO_MANY_OPERATIONS, reason, clock);
        return [new GraphQLError(reason, { extensions: { code: "RATE_LIMITED", retryable: true } })];
      }
      if (id.length > MAX_ID_LENGTH) {
        closeSocket(socket, CloseCode.BadRequest, `an id of more than ${MAX_ID_LENGTH} characters`, clock);
        return [new GraphQLError("the id is too long", { extensions: { code: "BAD_REQUEST" } })];
      }
      const presence = new EndablePresence();
      const whileWanted = {
        get isGone() {
          return presence.isGone || !Object.hasOwn(subscriptions, id);
        },
        onceGone: (task: () => void) => presence.onceGone(task),
      };
      const caller = arrival.caller(whileWanted);
      const begin = (operation: ReadRequest) => {
        const ready =
          operation === undefined || operation instanceof GraphQLError
            ? engine.results.failed(operation ?? NO_OPERATION, caller)
            : engine.read({ caller, operation });
        if ("text" in ready) {
          refused.set(ready.errors, ready);
          return ready.errors;
        }
        const before = places.get(id);
        if (before !== undefined) {
          before.isOver = true;
          before.presence.leave();
        }
        const sink = new SocketSink(id, socket, arrival.request.socket, backlog, clock);
        const taken: RunningOperation = { id, send, ready, presence, isGone: () => whileWanted.isGone, sink, isOver: false };
        places.set(id, taken);
        const args = { schema: engine.schema, document: ready.document, operationName: ready.call.operation.operationName };
        placeOf.set(args, taken);
        return args;
      };
      const operation = arrival.operationIn(message);
      return operation instanceof Promise ? operation.then(begin) : begin(operation);
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
    onError({ extra: { arrival, places } }, id, _payload, errors) {
      places.delete(id);
      return refused.get(errors)?.shown ?? engine.results.shown(errors.map(withPlace), arrival.origin);
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
