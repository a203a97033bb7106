import { systemClock, systemRandom } from "./clock.js";
import { type GraphRequest, textOf } from "./document.js";
import { graphErrorsFrom, NoAnswer } from "./errors.js";
import { eventsOf } from "./eventIterator.js";
import { type GraphAnswer, post } from "./http.js";
import { isObject } from "./json.js";
import { Lines } from "./lines.js";
import { ofRepetition, outcomeOf, type PayloadOf, withoutAnswer } from "./outcome.js";
import { eventFrom, type GraphEvent, keepSubscribed, type Listener } from "./subscription.js";
import type {
  Client,
  ClientOptions,
  Operation,
  Preview,
  QueryResult,
  RequestOptions,
  WriteOptions,
  WriteResult,
} from "./types.js";
import { KEY, settling, untilAnswered, valueIn, withKey, withValue } from "./write.js";

/** Makes a client of one gateway with one token. It connects on its first operation. */
export function createClient(options: ClientOptions): Client {
  const { url, token, timeoutMs = 15_000, writeWithinMs = 15_000, clock = systemClock, random = systemRandom } = options;
  const waiting = { clock, random };
  // Wrapped, because browsers' `fetch` throws when called as a method of another object.
  const http = { url, token, timeoutMs, clock, fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)) };
  const lines = new Lines({ ...options, ...waiting });
  /** Ends of what runs, for `dispose`. */
  const ends = new Set<() => void>();

  const requestOf = ({ document, variables, operationName }: Omit<Operation, "kind">, trace = false): GraphRequest => {
    const hash = options.trustedDocuments === true ? hashOf(document) : undefined;
    return {
      // A message of graphql-transport-ws must have a query, which may be empty.
      ...(hash === undefined ? { query: textOf(document, options.print) } : { documentId: hash, query: "" }),
      ...(variables !== undefined && { variables }),
      ...(operationName !== undefined && { operationName }),
      ...(trace && { extensions: { exchangeTrace: true } }),
    };
  };

  const sendOnce = async (request: GraphRequest, { signal }: RequestOptions) => post(request, http, signal);

  const keyed = ({ document, variables = {} }: Operation, key: string | undefined) =>
    withKey(textOf(document, options.print), variables, key);

  /**
   * Sends a mutation with its idempotency key, and repeats it while there is no answer. A mutation without a variable for the key
   * is sent once. `onLost` is called for each request without an answer.
   */
  const sendWrite = async (
    operation: Operation,
    { key, ...requestOptions }: WriteOptions,
    onLost = (): void => undefined,
    withinMs = writeWithinMs,
  ) => {
    const variables = keyed(operation, key);
    const request = requestOf(variables === undefined ? operation : { ...operation, variables }, requestOptions.trace);
    const once = () =>
      sendOnce(request, requestOptions).catch((error: unknown) => {
        onLost();
        throw error;
      });
    return variables === undefined ? once() : untilAnswered(once, withinMs, waiting, requestOptions.signal);
  };

  const send: Client["send"] = async (operation, requestOptions = {}) =>
    operation.kind === "mutation"
      ? sendWrite(operation, requestOptions)
      : sendOnce(requestOf(operation, requestOptions.trace), requestOptions);

  const listen: Client["listen"] = (operation, listener) => {
    const leave = keepSubscribed(
      () => lines.free(),
      requestOf(operation),
      listener,
      waiting,
      () => ends.delete(end),
    );
    const end = (): void => {
      ends.delete(end);
      leave();
    };
    ends.add(end);
    return end;
  };

  const followed = <Data>(operation: Operation, listener: Listener<GraphEvent<Data>>) =>
    listen(operation, {
      next: (answer) => listener.next(eventFrom(answer)),
      lost: (reason, refusal) => listener.lost?.(reason, refusal),
      error: (errors) => listener.error?.(errors),
      complete: () => listener.complete?.(),
    });

  /** `isInDoubt`: whether an earlier request with its key may have taken effect. */
  async function write<Data>(
    operation: Operation,
    writeOptions: WriteOptions,
    isInDoubt = false,
    withinMs = writeWithinMs,
  ): Promise<WriteResult<PayloadOf<Data>>> {
    const variables = keyed(operation, writeOptions.key);
    if (variables === undefined) throw new TypeError("a write needs a variable for its key: $input, or $idempotencyKey");
    if (!/\boutcome\b/.test(textOf(operation.document, options.print))) throw new TypeError("a write has to select its outcome");
    const ownKey = valueIn(variables, KEY);
    const key = ownKey === undefined ? null : String(ownKey);
    let mayBeSent = isInDoubt;
    const onLost = (): void => {
      mayBeSent = true;
    };
    const answer = await sendWrite({ ...operation, variables }, writeOptions, onLost, withinMs).catch(lost);
    const outcome = answer instanceof NoAnswer ? withoutAnswer(answer) : outcomeOf<Data>(answer);
    const found = mayBeSent ? ofRepetition(outcome) : outcome;
    if (found.outcome !== "unknown") return { ...found, key };
    const again = (repeated: RequestOptions = {}, leftMs = writeWithinMs) =>
      write<Data>({ ...operation, variables }, repeated, true, Math.min(writeWithinMs, leftMs));
    const result: WriteResult<PayloadOf<Data>> = {
      ...found,
      key,
      again: (repeated) => again(repeated),
      settled: (limits = {}) => settling(result, again, limits, waiting),
    };
    return result;
  }

  return {
    send,
    listen,
    subscribe: (document, variables, listener) => followed({ kind: "subscription", document, variables }, listener),
    async query(document, ...[variables, requestOptions = {}]) {
      const answer = await send({ kind: "query", document, variables }, requestOptions).catch(lost);
      if (answer instanceof NoAnswer) return { data: null, errors: [answer], extensions: {} };
      return resultOf(answer);
    },
    write: (document, ...[variables, writeOptions = {}]) => write({ kind: "mutation", document, variables }, writeOptions),
    async preview(document, ...[values, requestOptions = {}]) {
      const variables = withValue(textOf(document, options.print), values, "dryRun", true);
      if (variables === undefined) throw new TypeError("a dry run needs a variable for it: $input, or $dryRun");
      const answer = await sendOnce(requestOf({ document, variables }, requestOptions.trace), requestOptions).catch(lost);
      return answer instanceof NoAnswer ? { isSound: false, payload: null, errors: [answer] } : previewOf(answer);
    },
    events: (document, ...[variables, { signal } = {}]) =>
      eventsOf((listener) => followed({ kind: "subscription", document, variables }, listener), ends, signal),
    get connection() {
      return lines.connection;
    },
    dispose() {
      for (const end of [...ends]) end();
      lines.close();
    },
  };
}

function hashOf(document: Operation["document"]): string | undefined {
  if (typeof document === "string" || !("__meta__" in document)) return undefined;
  const { __meta__: meta } = document;
  return isObject(meta) && typeof meta.hash === "string" ? meta.hash : undefined;
}

/** A missing answer is a result; other errors are thrown. */
const lost = (error: unknown): NoAnswer => {
  if (error instanceof NoAnswer) return error;
  throw error;
};

function resultOf<Data>({ data, errors, extensions = {} }: GraphAnswer): QueryResult<Data> {
  const [first, ...others] = graphErrorsFrom(errors);
  if (isObject(data)) return { data: data as Data, errors: first === undefined ? [] : [first, ...others], extensions };
  return { data: null, errors: [first ?? new NoAnswer("BAD_ANSWER", "neither data nor errors"), ...others], extensions };
}

function previewOf<Data>({ data, errors }: GraphAnswer): Preview<PayloadOf<Data>> {
  const [payload = null] = Object.values(data ?? {}).filter(isObject);
  const found = [...graphErrorsFrom(payload?.userErrors), ...graphErrorsFrom(errors)];
  return { isSound: payload !== null && found.length === 0, payload: payload as PayloadOf<Data> | null, errors: found };
}
