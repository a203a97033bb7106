import { type Client, type Connection, createClient } from "@exchange-graph/client";
import { clientExchange, errorsOf } from "@exchange-graph/client/urql";
import { mapExchange, Client as UrqlClient } from "@urql/core";
import { now } from "../state/clock.js";
import { Store, useStore } from "../state/store.js";
import { forget, recall, store } from "../state/stored.js";
import { Rereading } from "./rereading.js";

/** State of the connection to the gateway. */
export interface Line {
  readonly state: "connecting" | "live" | "lost";
  /** Since when, Unix ms. */
  readonly since: number;
}

export const line = new Store<Line>({ state: "connecting", since: now() });

/** Whether the line to the gateway is lost, for a component. */
export const useIsLost = (): boolean => useStore(line).state === "lost";

/** Time of the gateway's last message, Unix ms. */
export const receivedAt = new Store<number>(now(), { everyMs: 1_000, isLive: true });

/** Why the gateway does not accept the token, or that it needs one; undefined while it accepts it. */
export const refusal = new Store<string | undefined>(undefined);

const TOKEN = "desk-token";

/** The user's token: in memory, and on request in the tab's session storage. Never in a URL. */
export const token = new Store<string>(recall("tab", TOKEN) ?? "");

/** Clients of the gateway for one token. */
interface Session {
  readonly token: string;
  /** For writes, which have an idempotency key and an outcome. */
  readonly client: Client;
  /** For reads, over the same client. */
  readonly urql: UrqlClient;
  readonly rereading: Rereading;
}

/** Sets a token, or none; everything is requested again with it. */
export function takeToken(text: string, isKept: boolean): void {
  if (isKept && text !== "") store("tab", TOKEN, text);
  else forget("tab", TOKEN);
  token.set(text);
  refusal.set(undefined);
  session.value.client.dispose();
  session.set(open(text));
}

const STATES = { idle: undefined, connecting: undefined, open: "live", waiting: "lost" } as const;
const URL_OF_GRAPH = "/graphql";

function open(secret: string): Session {
  const rereading = new Rereading({
    now,
    after(ms, task) {
      const timer = setTimeout(task, ms);
      return () => clearTimeout(timer);
    },
    isVisible: () => document.visibilityState === "visible",
    onceVisible(task) {
      document.addEventListener("visibilitychange", task, { once: true });
      return () => document.removeEventListener("visibilitychange", task);
    },
  });
  const client = createClient({
    url: URL_OF_GRAPH,
    ...(secret !== "" && { token: secret }),
    onConnection({ state }: Connection) {
      const shown = STATES[state];
      const { state: before } = line.value;
      if (shown === undefined || shown === before) return;
      line.set({ state: shown, since: now() });
      if (before === "lost") rereading.anew();
    },
  });
  const receiving = mapExchange({
    onResult({ data, error }) {
      if (data) receivedAt.set(now());
      // Answers to an earlier token may arrive late.
      if (token.value === secret)
        refusal.set(
          errorsOf(error).find(({ code }) => code === "UNAUTHENTICATED")?.message ?? (data ? undefined : refusal.value),
        );
    },
  });
  const exchanges = [receiving, rereading.exchange, clientExchange(client)];
  return { token: secret, client, rereading, urql: new UrqlClient({ url: URL_OF_GRAPH, preferGetMethod: false, exchanges }) };
}

/** The session of this page; replaced when the token changes. */
export const session: Store<Session> = new Store<Session>(open(token.value));
