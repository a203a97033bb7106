import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import type { GraphDocument } from "./document.js";
import type { GraphError } from "./errors.js";
import type { PayloadOf } from "./outcome.js";
import type { GraphEvent } from "./subscription.js";
import type { Arguments, Client, Preview, RequestOptions, WriteOptions, WriteResult } from "./types.js";

const ClientContext = createContext<Client | null>(null);

/** Gives its children the client that the hooks use: `<ClientProvider value={client}>`. */
export const ClientProvider = ClientContext.Provider;

/** The client of the nearest `ClientProvider`. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new TypeError("there is no client: render the component inside <ClientProvider value={client}>");
  return client;
}

/** One value for all equal variables, which are JSON: a component may make them anew whenever it renders. */
function useEqual<Variables>(variables: Variables): Variables {
  const text = JSON.stringify(variables ?? {});
  return useMemo(() => JSON.parse(text) as Variables, [text]);
}

/** The newest value, for callbacks that outlive a rendering. */
function useNewest<Value>(value: Value) {
  const newest = useRef(value);
  useEffect(() => {
    newest.current = value;
  });
  return newest;
}

export interface LiveOptions<Data, State> {
  /** Makes the state of the state before, undefined at first, and an event with data. Default: the event's data. */
  readonly merge?: (before: State | undefined, event: GraphEvent<Data> & { readonly data: Data }) => State;
  /** Ends the subscription while it is true. Default: false. */
  readonly isPaused?: boolean;
}

/** A subscription with its state. */
export interface Live<State> {
  /** Undefined before the first event. It is kept while the subscription is interrupted. */
  readonly data: State | undefined;
  /**
   * `interrupted`: the line to the gateway is lost, or the gateway's to the exchange; the subscription resumes by itself. `ended`:
   * it does not. `paused`: `isPaused` is true, and the data is of the time before.
   */
  readonly status: "connecting" | "live" | "interrupted" | "ended" | "paused";
  /** Why it is interrupted; null otherwise. */
  readonly reason: string | null;
  /** Errors of the last event, or of the end. */
  readonly errors: readonly GraphError[];
}

const CONNECTING = { data: undefined, status: "connecting", reason: null, errors: [] } as const;

/** Subscribes while the component is on the screen, and again whenever the variables have changed. */
export function useLive<Data, Variables, State = Data>(
  document: GraphDocument<Data, Variables>,
  ...[variables, { merge, isPaused = false } = {}]: Arguments<Variables, LiveOptions<Data, State>>
): Live<State> {
  const client = useClient();
  const equal = useEqual(variables);
  const subject = useMemo(() => ({ client, document, variables: equal as Variables }), [client, document, equal]);
  const newestMerge = useNewest(merge);
  const [found, setFound] = useState<{ readonly of: unknown; readonly live: Live<State> }>();
  useEffect(() => {
    if (isPaused) return undefined;
    let live: Live<State> = CONNECTING;
    const change = (part: Partial<Live<State>>) => {
      live = { ...live, ...part };
      setFound({ of: subject, live });
    };
    const leave = subject.client.subscribe(subject.document, subject.variables, {
      next(event) {
        const { data, errors, stale } = event;
        const status = stale ? ("interrupted" as const) : ("live" as const);
        const reason = stale ? "the gateway's line to the exchange is interrupted" : null;
        const { current: merged } = newestMerge;
        if (data === null) change({ errors, status, reason });
        // Without `merge` the state is the data.
        else change({ errors, status, reason, data: merged ? merged(live.data, { ...event, data }) : (data as never) });
      },
      lost: (reason) => change({ status: "interrupted", reason }),
      error: (errors) => change({ status: "ended", reason: null, errors }),
      complete: () => change({ status: "ended", reason: null }),
    });
    return () => {
      leave();
      // After a pause the data is old until the next event.
      setFound((old) => old && { ...old, live: { ...old.live, status: "connecting", reason: null } });
    };
  }, [subject, isPaused, newestMerge]);
  // Before the first event of another subscription there is only that of the one before.
  const live = found !== undefined && found.of === subject ? found.live : CONNECTING;
  return isPaused ? { ...live, status: "paused" } : live;
}

/** A page of a list of the graph, by its nodes or by its edges. */
export interface PageOf<Row> {
  readonly nodes?: readonly (Row | null)[] | null;
  readonly edges?: readonly ({ readonly node: Row | null } | null)[] | null;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

export interface PageOptions<Data, Row> {
  /** Selects the list of an answer; undefined or null if it has none. */
  readonly list: (data: Data) => PageOf<Row> | null | undefined;
  /** Identifies a row: one that arrives on two pages is shown once. Default: rows are not compared. */
  readonly keyOf?: (row: Row) => string;
}

/** The pages of a list that have been read. */
export interface Pages<Data, Row> {
  /** The whole answer with the first page; undefined before it. */
  readonly data: Data | undefined;
  /** The rows of all pages so far; undefined before the first, and if the list could not be read. */
  readonly rows: readonly Row[] | undefined;
  readonly errors: readonly GraphError[];
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  /** Reads the next page, whose cursor is the variable `after`. */
  loadMore(): void;
  /** Reads the list anew. Its rows stay until the answer is there. */
  refresh(): void;
}

interface Read<Data, Row> extends Pick<Pages<Data, Row>, "data" | "rows" | "errors" | "isLoading"> {
  readonly of: unknown;
  readonly next: string | null;
}

/** Reads a list page by page: the first at once, and the others by `loadMore`. */
export function usePage<Data, Variables, Row>(
  document: GraphDocument<Data, Variables>,
  variables: Variables,
  { list, keyOf }: PageOptions<Data, Row>,
): Pages<Data, Row> {
  const client = useClient();
  const equal = useEqual(variables);
  const subject = useMemo(() => ({ client, document, variables: equal }), [client, document, equal]);
  const options = useNewest({ list, keyOf });
  const reading = useRef<AbortController>(undefined);
  const [found, setFound] = useState<Read<Data, Row>>();

  const read = useCallback(
    async (after: string | null) => {
      reading.current?.abort();
      const controller = new AbortController();
      reading.current = controller;
      const { signal } = controller;
      setFound((old) => (old?.of === subject ? { ...old, isLoading: true } : undefined));
      const paged = after === null ? subject.variables : { ...subject.variables, after };
      // The variables are there: the tuple's other form is for documents without any.
      const given = [paged, { signal }] as unknown as Arguments<Variables, RequestOptions>;
      const answer = await subject.client.query<Data, Variables>(subject.document, ...given).catch(unless(signal));
      if (answer === undefined) return;
      const { data, errors } = answer;
      const page = data === null ? undefined : options.current.list(data);
      setFound((old) => {
        const before = old?.of === subject ? old : undefined;
        if (!page) return { ...(before ?? EMPTY), of: subject, errors, isLoading: false };
        const shown = after === null ? [] : (before?.rows ?? []);
        return {
          of: subject,
          data: after === null ? (data ?? undefined) : before?.data,
          rows: joined(shown, rowsOf(page), options.current.keyOf),
          errors,
          isLoading: false,
          next: page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null,
        };
      });
    },
    [subject, options],
  );

  useEffect(() => {
    void read(null);
    return () => reading.current?.abort();
  }, [read]);

  const isHere = found !== undefined && found.of === subject;
  const { next, data, rows, errors, isLoading } = isHere ? found : { ...EMPTY, isLoading: true };
  return {
    ...{ data, rows, errors, isLoading, hasMore: next !== null },
    loadMore: () => void (next !== null && !isLoading && read(next)),
    refresh: () => void read(null),
  };
}

const EMPTY = { data: undefined, rows: undefined, errors: [], next: null } as const;

/** What was given up has no answer; other errors are thrown. */
const unless =
  (signal: AbortSignal) =>
  (error: unknown): undefined => {
    if (!signal.aborted) throw error;
  };

const rowsOf = <Row>({ nodes, edges }: PageOf<Row>): readonly Row[] =>
  (nodes ?? edges?.map((edge) => edge?.node ?? null) ?? []).filter((row): row is Row & {} => row !== null);

function joined<Row>(shown: readonly Row[], added: readonly Row[], keyOf?: (row: Row) => string): readonly Row[] {
  if (keyOf === undefined) return [...shown, ...added];
  const keys = new Set(shown.map(keyOf));
  return [...shown, ...added.filter((row) => !keys.has(keyOf(row)))];
}

/** The last write of a component. */
export interface WriteState<Payload> {
  /** `unknown`: it may have taken effect, and is being looked up. */
  readonly status: "idle" | "sending" | "accepted" | "rejected" | "unknown";
  readonly payload: Payload | null;
  readonly errors: readonly GraphError[];
  /** The idempotency key; null before the first write. */
  readonly key: string | null;
}

export interface Writing<Data, Variables> extends WriteState<PayloadOf<Data>> {
  /**
   * Sends one action of the user. While it is being sent, another call throws: a double click is one action, and nothing is sent
   * twice. An unknown outcome is looked up for a minute, until the next write or the end of the component.
   */
  write(...args: Arguments<Variables, WriteOptions>): Promise<WriteResult<PayloadOf<Data>>>;
  /** A dry run. Nothing is sent. */
  preview(...args: Arguments<Variables, RequestOptions>): Promise<Preview<PayloadOf<Data>>>;
}

const IDLE = { status: "idle", payload: null, errors: [], key: null } as const;

/** Writes by one document, and the state of the last write. */
export function useWrite<Data, Variables>(document: GraphDocument<Data, Variables>): Writing<Data, Variables> {
  const client = useClient();
  const [state, setState] = useState<WriteState<PayloadOf<Data>>>(IDLE);
  const isSending = useRef(false);
  /** The look-up of the last write. Another write, and the end of the component, give it up. */
  const looking = useRef<AbortController>(undefined);
  const isThere = useRef(false);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
      looking.current?.abort();
    };
  }, []);

  async function write(...args: Arguments<Variables, WriteOptions>): Promise<WriteResult<PayloadOf<Data>>> {
    if (isSending.current) throw new Error("a write is still being sent: disable the button while `status` is `sending`");
    isSending.current = true;
    looking.current?.abort();
    setState({ ...IDLE, status: "sending" });
    try {
      const result = await client.write(document, ...args);
      setState(stateOf(result));
      if (result.outcome === "unknown" && isThere.current) void lookUp(result);
      return result;
    } catch (error) {
      setState(IDLE);
      throw error;
    } finally {
      isSending.current = false;
    }
  }

  async function lookUp(result: WriteResult<PayloadOf<Data>> & { readonly outcome: "unknown" }) {
    const controller = new AbortController();
    looking.current = controller;
    const { signal } = controller;
    const settled = await result.settled({ signal }).catch(unless(signal));
    if (settled !== undefined && !signal.aborted) setState(stateOf(settled));
  }

  return { ...state, write, preview: (...args) => client.preview(document, ...args) };
}

const stateOf = <Payload>({ outcome, payload, errors, key }: WriteResult<Payload>): WriteState<Payload> => ({
  status: outcome,
  payload,
  errors,
  key,
});
