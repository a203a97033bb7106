import type { IncomingMessage } from "node:http";
import { type ExecutionArgs, type ExecutionResult, execute, GraphQLError } from "graphql";
import { CloseCode, type ConnectionInitMessage, makeServer } from "graphql-ws";
import type { WebSocket } from "ws";
import { ClientRequester, clientOf } from "../../access/clientRequester.js";
import type { Origin } from "../../access/principal/auditTrail.js";
import { bearerIn, bearerOf } from "../../access/principal/bearer.js";
import type { Caller } from "../../access/principal/caller.js";
import { Attendance } from "../../access/principal/presence.js";
import { Fault, type Requester } from "../../datasources/index.js";
import { groupKey } from "../../engine/subscriptions/fanOut.js";
import { isMutation, isSubscription } from "../../engine/subscriptions/operation.js";
import { type Backlog, closeSocket, SocketOutlet } from "../../engine/subscriptions/outlet.js";
import { asGraphqlError, type Execution, MAX_ID_LENGTH } from "../shared/execution.js";

/** Close code of a socket that holds more operations than it may. */
const TOO_MANY_OPERATIONS = 4430;

/** Close code of a socket beyond those that its caller may hold. */
const TOO_MANY_SOCKETS = 4431;

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
  token: string | undefined;
  /** What runs under each id. */
  readonly places: Map<string, Place>;
  readonly backlog: Backlog;
}

/** One operation on a socket. */
interface Place {
  readonly key: string;
  readonly caller: Caller;
  readonly requester: Requester;
  readonly presence: Attendance;
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
      extra.token = token;
      socket.once("close", () => {
        for (const { presence } of extra.places.values()) presence.leave();
      });
      if (socket.readyState === socket.OPEN) socket.once("close", callers.watch(token, caller, end));
      return true;
    },
    onSubscribe: ({ extra, subscriptions }, id, asked) => {
      const { socket, request, caller, token, places, backlog } = extra;
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
      const read = operations.read(asked, caller);
      if (!("args" in read)) return read;
      const before = places.get(id);
      if (before !== undefined) {
        before.isOver = true;
        before.presence.leave();
      }
      const presence = new Attendance();
      const stillAsked = {
        get isGone() {
          return presence.isGone || !Object.hasOwn(subscriptions, id);
        },
        onceGone: (task: () => void) => presence.onceGone(task),
      };
      const client = clientOf(caller, request.socket.remoteAddress);
      const requester = new ClientRequester(callers, token, caller, client, stillAsked);
      const observer = audit.mutationsOf(originOf(extra));
      // A subscription pays for the first of its events, whoever else shares them: its attempt is its group's.
      const attempt = isSubscription(read) ? undefined : execution.attempt(read.args, caller, observer, requester);
      const { args } = attempt ?? read;
      const taken: Place = {
        key: groupKey(caller, read, asked.query),
        caller,
        requester,
        presence,
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
        .join(own.key, (all) => execution.attempt(args, own.caller.asListener, undefined, all), own.outlet, own.requester)
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
      return shown(errors.map(withPlace), originOf(extra));
    },
    onComplete({ extra: { places } }, id) {
      places.delete(id);
    },
  });
}

/** `graphql-ws` wraps what a stream ends with, and leaves its place out. */
const withPlace = (error: GraphQLError): GraphQLError =>
  error.originalError instanceof GraphQLError && error.originalError.path !== undefined ? error.originalError : error;

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
