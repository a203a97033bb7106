import { once } from "node:events";
import type { Argument, Push } from "@exchange-graph/contract/channels/channel";
import { type Frame, readFrame } from "@exchange-graph/contract/channels/frame";
import { loginSignature } from "@exchange-graph/contract/signing";
import { WebSocket } from "ws";
import type { Credential } from "../../../src/credentials.js";

/** A client of one socket that reads what comes, frame by frame, and never waits by the clock. */
export class SocketClient {
  readonly #unread: string[] = [];
  #waiting: { readonly resolve: (text: string) => void; readonly reject: (error: Error) => void } | undefined;
  readonly closed: Promise<number>;

  private constructor(readonly socket: WebSocket) {
    socket.on("message", (data) => {
      const text = String(data);
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting === undefined) this.#unread.push(text);
      else waiting.resolve(text);
    });
    this.closed = once(socket, "close").then(([code]) => {
      this.#waiting?.reject(new Error(`the connection was closed with ${code}`));
      return code as number;
    });
  }

  static async open(url: string): Promise<SocketClient> {
    const socket = new WebSocket(url);
    const client = new SocketClient(socket);
    await once(socket, "open");
    return client;
  }

  /** Number of received frames that have not been read yet. */
  get unread(): number {
    return this.#unread.length;
  }

  say(message: object | string): this {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
    return this;
  }

  subscribe(...args: readonly Argument[]): this {
    return this.say({ op: "subscribe", args });
  }

  unsubscribe(...args: readonly Argument[]): this {
    return this.say({ op: "unsubscribe", args });
  }

  login({ key, passphrase, secret }: Credential, timestamp: string | number, changes: object = {}): this {
    const sign = loginSignature(secret, String(timestamp));
    return this.say({ op: "login", args: [{ apiKey: key, passphrase, timestamp, sign, ...changes }] });
  }

  /** The next frame as it came. */
  text(): Promise<string> {
    const text = this.#unread.shift();
    return text === undefined
      ? new Promise((resolve, reject) => {
          this.#waiting = { resolve, reject };
        })
      : Promise.resolve(text);
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async frame(): Promise<Frame> {
    return readFrame(await this.text());
  }

  /** The next frame, which must be a push. */
  async push(): Promise<Push> {
    const text = await this.text();
    const frame = readFrame(text);
    if (frame.kind !== "push") throw new Error(`expected a push, got ${text}`);
    return frame.push;
  }

  /** Everything that came until the exchange has answered a ping: nothing that it sent before is still under way. */
  async settled(): Promise<readonly string[]> {
    this.say("ping");
    const texts: string[] = [];
    for (let text = await this.text(); text !== "pong"; text = await this.text()) texts.push(text);
    return texts;
  }

  close(): void {
    this.socket.terminate();
  }
}
