import { locatedError } from "graphql";
import type { SubscribeResolverData } from "type-graphql";
import { badInput, type ExchangeAccount, Fault } from "../../datasources/index.js";
import { eventQueue, type Progress } from "../../datasources/streams/eventQueue.js";
import type { Listener, StreamEvent, Streams, Unlisten } from "../../datasources/streams/index.js";
import { MAX_EVERY_MS, type PaceInput, type PaceMode } from "../../schema/pace.js";
import type { RequestContext } from "../context.js";

interface Paced {
  readonly pace: PaceInput;
}

const streamsOf = ({ streams }: RequestContext): Streams => {
  if (streams !== undefined) return streams;
  throw new Fault(
    "EXCHANGE_UNAVAILABLE",
    "this gateway serves no subscriptions: it has not been told the exchange's stream address",
  );
};

/** The events of a subscription, how fast they were asked to be, and how far they have come. */
interface EventStream<T> extends AsyncIterableIterator<StreamEvent<T>>, Progress {
  readonly pace: Pick<PaceInput, "mode" | "everyMs">;
  /** Was the current state there as soon as the stream was open? */
  readonly hasState: boolean;
}

/** Starts the stream of a subscription. */
export const streamed =
  <A extends Paced, T>(listen: (streams: Streams, args: A, context: RequestContext, listener: Listener<T>) => Unlisten) =>
  ({ args, context, info }: SubscribeResolverData<unknown, A, RequestContext>): EventStream<T> => {
    const { mode, everyMs } = args.pace;
    if (everyMs !== null && everyMs !== undefined && (mode !== "LATEST" || everyMs < 0 || everyMs > MAX_EVERY_MS))
      throw badInput([{ argument: "pace.everyMs", rule: `goes with mode LATEST, and must be from 0 to ${MAX_EVERY_MS}` }]);
    const streams = streamsOf(context);
    const wants = mode === "LATEST" ? "newest" : "all";
    const queue = eventQueue<T>((listener) => listen(streams, args, context, listener), wants);
    const { hasWaiting: hasState } = queue;
    return {
      pace: args.pace,
      hasState,
      get received() {
        return queue.received;
      },
      get taken() {
        return queue.taken;
      },
      get skipped() {
        return queue.skipped;
      },
      // What ends the events has the place of its field, as an error of a query does.
      next: () =>
        queue.next().catch((error: unknown) => {
          throw locatedError(error, info.fieldNodes, [info.path.key]);
        }),
      return: () => queue.return(),
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  };

/** Begins the answer to an event: what is joined to it is read anew. */
export function begin<T>({ reads }: RequestContext, event: StreamEvent<T>): T {
  reads.forget();
  return event.value;
}

/** The account of this name, or the first. Throws `BAD_USER_INPUT` when there is none of that name. */
export function accountNamed({ reads }: RequestContext, name: string | null | undefined): ExchangeAccount {
  const account = reads.exchange.account(name);
  if (account === undefined) throw badInput([{ argument: "account", rule: "must be the name of an account of this gateway" }]);
  return account;
}

/** The options of the argument that every subscription has. */
export const paceOptions = (mode: PaceMode) => ({
  defaultValue: { mode },
  description: `How fast events are sent. Default: ${mode === "ALL" ? "every event" : "always the newest"}`,
});
