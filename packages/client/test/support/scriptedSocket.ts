import { ManualClock } from "@exchange-graph/contract/clock";
import { type Client, type ClientOptions, type Connection, createClient } from "../../src/index.js";
import { turn } from "./scripted.js";

interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

/** The gateway's end of a socket that a client has opened. */
export class ScriptedSocket {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  readonly sent: Message[] = [];
  isClosed = false;

  constructor(
    readonly url: string,
    readonly protocol: string,
  ) {}

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.isClosed = true;
  }

  /** Opens it, and acknowledges it. */
  accept(): void {
    this.onopen?.({} as never);
    this.says({ type: "connection_ack" });
  }

  says(message: object | string): void {
    this.onmessage?.({ data: typeof message === "string" ? message : JSON.stringify(message) } as never);
  }

  /** An event of an operation. */
  event(id: string, data: unknown, extensions: object = {}): void {
    this.says({ id, type: "next", payload: { data, extensions } });
  }

  breaks(code = 1006, reason = ""): void {
    this.onclose?.({ code, reason } as never);
  }

  /** The ids of what was subscribed to on it. */
  get ids(): readonly string[] {
    return this.sent.flatMap(({ type, id }) => (type === "subscribe" && id !== undefined ? [id] : []));
  }
}

/** A client whose sockets a test plays, on a clock that it moves. */
export interface SocketWorld {
  readonly client: Client;
  readonly clock: ManualClock;
  readonly sockets: ScriptedSocket[];
  readonly connections: Connection[];
  /** The socket of the moment, once the client has opened one. */
  next(): Promise<ScriptedSocket>;
}

export function socketWorld(options: Partial<ClientOptions> = {}): SocketWorld {
  const clock = new ManualClock(0);
  const sockets: ScriptedSocket[] = [];
  const connections: Connection[] = [];
  const webSocket = class extends ScriptedSocket {
    constructor(url: string, protocol: string) {
      super(url, protocol);
      sockets.push(this);
    }
  };
  const client = createClient({
    url: "https://gateway/graphql",
    webSocket,
    clock,
    random: () => 1,
    onConnection: (connection) => connections.push(connection),
    ...options,
  });
  let taken = 0;
  return {
    client,
    clock,
    sockets,
    connections,
    async next() {
      for (let turns = 0; turns < 50; turns++) {
        const socket = sockets[taken];
        if (socket !== undefined) {
          taken += 1;
          return socket;
        }
        await turn();
      }
      throw new Error("no socket was opened");
    },
  };
}
