import { type Client, type Connection, createClient } from "@exchange-graph/client";
import { now } from "../state/clock.js";
import { Store } from "../state/store.js";

/** State of the line to the gateway. */
export interface Line {
  readonly state: "connecting" | "live" | "lost";
  /** Since when, Unix ms. */
  readonly since: number;
  /** How often the line was made: what was read before is read again when this grows. */
  readonly made: number;
}

export const line = new Store<Line>({ state: "connecting", since: now(), made: 0 });

/** When the gateway last said anything, Unix ms. */
export const heard = new Store<number>(now(), { everyMs: 1_000 });

const TOKEN = "desk-token";

/** The reader's token: in memory, and in the tab's session storage where that was asked for. Never in an address. */
export const token = new Store<string>(sessionStorage.getItem(TOKEN) ?? "");

/** Takes a token over; everything is asked anew with it. */
export function takeToken(text: string, isKept: boolean): void {
  if (isKept && text !== "") sessionStorage.setItem(TOKEN, text);
  else sessionStorage.removeItem(TOKEN);
  token.set(text);
  session.value.dispose();
  session.set(open(text));
}

const STATES = { idle: undefined, connecting: undefined, open: "live", waiting: "lost" } as const;

function open(secret: string): Client {
  return createClient({
    url: "/graphql",
    ...(secret !== "" && { token: secret }),
    onConnection({ state }: Connection) {
      const shown = STATES[state];
      if (shown === undefined || shown === line.value.state) return;
      line.update(({ made }) => ({ state: shown, since: now(), made: shown === "live" ? made + 1 : made }));
    },
  });
}

/** The client of this page; another one with another token. */
export const session: Store<Client> = new Store<Client>(open(token.value));
