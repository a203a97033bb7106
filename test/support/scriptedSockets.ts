import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type Action, type Argument, keyOf } from "@exchange-graph/contract/channels/channel";
import { type WebSocket, WebSocketServer } from "ws";

/** Response to a subscription: confirmation, error, none, or an error without the argument that it concerns. */
export type Verdict = "ack" | "silence" | { readonly code: number; readonly msg?: string } | { readonly namelessCode: number };

interface Request {
  readonly op: string;
  readonly args: readonly Argument[];
}

/** One connection as the exchange sees it. */
export class ScriptedConnection {
  /** Every received frame, with the time by the test's clock. */
  readonly received: { readonly at: number; readonly text: string }[] = [];
  readonly subscribed = new Map<string, Argument>();
  isOpen = true;
  /** Open but unresponsive: nothing is answered, not even pings. */
  isSilent = false;

  constructor(
    readonly path: string,
    private readonly socket: WebSocket,
  ) {}

  send(frame: object | string): void {
    this.socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  push(arg: Argument, data: unknown, action: Action = "update", ts = 1_767_225_600_000): void {
    this.send({ action, arg, data, ts });
  }

  /** Announces that the connection will be closed. */
  warn(): void {
    this.send({ event: "error", code: 30033, msg: "service upgrade" });
  }

  /** Breaks the connection without a close frame. */
  drop(): void {
    this.socket.terminate();
  }

  /** The received requests, except pings and logins. */
  requests(op: string): readonly Request[] {
    return this.received
      .filter(({ text }) => text !== "ping")
      .map(({ text }) => JSON.parse(text) as Request)
      .filter((request) => request.op === op);
  }
}

/** Scripted sockets of an exchange: a real WebSocket server controlled by the test, which records the messages it receives. */
export interface ScriptedSockets {
  readonly url: URL;
  /** All connections so far, in order. */
  readonly connections: ScriptedConnection[];
  /** The open connections. */
  open(): ScriptedConnection[];
  /** Response to a login: success, or an error code. */
  login: "ack" | "silence" | number;
  /** Response to a subscription. */
  verdict: (argument: Argument) => Verdict;
  /** Called after each confirmation, for example to push the first snapshot. */
  onSubscribed: (argument: Argument, connection: ScriptedConnection) => void;
  /** Rejects new connections. */
  isDown: boolean;
  close(): Promise<void>;
}

export async function scriptedSockets(now: () => number): Promise<ScriptedSockets> {
  const server = new WebSocketServer({
    host: "127.0.0.1",
    port: 0,
    verifyClient: () => !script.isDown,
  });
  await once(server, "listening");
  const connections: ScriptedConnection[] = [];
  const script: ScriptedSockets = {
    url: new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`),
    connections,
    open: () => connections.filter(({ isOpen }) => isOpen),
    login: "ack",
    verdict: () => "ack",
    onSubscribed: () => undefined,
    isDown: false,
    close: async () => {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, "close");
    },
  };
  server.on("connection", (socket, request) => {
    const connection = new ScriptedConnection(request.url ?? "", socket);
    connections.push(connection);
    socket.on("close", () => {
      connection.isOpen = false;
    });
    socket.on("message", (data) => {
      const text = String(data);
      connection.received.push({ at: now(), text });
      if (!connection.isSilent) answer(script, connection, text);
    });
  });
  return script;
}

function answer(script: ScriptedSockets, connection: ScriptedConnection, text: string): void {
  if (text === "ping") {
    connection.send("pong");
    return;
  }
  const { op, args } = JSON.parse(text) as Request;
  if (op === "login") {
    if (script.login === "ack") connection.send({ event: "login", code: 0, msg: "" });
    else if (script.login !== "silence") connection.send({ event: "error", code: script.login, msg: "login refused" });
    return;
  }
  for (const arg of args) {
    const verdict = op === "subscribe" ? script.verdict(arg) : "ack";
    if (verdict === "ack") {
      if (op === "subscribe") connection.subscribed.set(keyOf(arg), arg);
      else connection.subscribed.delete(keyOf(arg));
      connection.send({ event: op, arg });
      if (op === "subscribe") script.onSubscribed(arg, connection);
    } else if (verdict !== "silence") {
      const nameless = "namelessCode" in verdict;
      connection.send({
        event: "error",
        code: nameless ? verdict.namelessCode : verdict.code,
        msg: nameless ? "Param error" : (verdict.msg ?? `${JSON.stringify(arg)} doesn't exist`),
      });
    }
  }
}
