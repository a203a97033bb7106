import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Messages that listeners have received since the counters were reset. */
export interface Received {
  messages: number;
  /** Delays of some of the messages, ms. */
  delays: number[];
}

const FINAL_TEXT = 0x81;
const PING = 0x89;
/** A pong without a payload, masked with zeros; the servers accept it. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const KEY = Buffer.alloc(16, 1).toString("base64");

/** A text frame as clients send it, masked with zeros. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(payload.length < 126 ? 6 : 8);
  head[0] = FINAL_TEXT;
  if (payload.length < 126) head[1] = 0x80 | payload.length;
  else {
    head[1] = 0x80 | 126;
    head.writeUInt16BE(payload.length, 2);
  }
  return Buffer.concat([head, payload]);
}

const subscribing = (id: string, query: string): Buffer => frame(JSON.stringify({ id, type: "subscribe", payload: { query } }));

/** Opens a socket and sends `connection_init`. */
async function connected(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number.parseInt(port, 10), hostname);
  await once(socket, "connect");
  socket.write(
    `GET /graphql HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${KEY}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`,
  );
  const [answer] = (await once(socket, "data")) as [Buffer];
  if (!answer.includes(" 101 ")) throw new Error(`${url} refuses the socket: ${answer.toString("utf8")}`);
  socket.write(frame('{"type":"connection_init"}'));
  return socket;
}

/** Opens a client that subscribes many times, and then reads one byte per second. */
export async function openSlowReader(url: string, subscription: string, times: number): Promise<Socket> {
  const socket = await connected(url);
  for (let id = 0; id < times; id++) socket.write(subscribing(`${id}`, subscription));
  socket.pause();
  const read = setInterval(() => socket.read(1), 1_000);
  socket.on("error", () => undefined).on("close", () => clearInterval(read));
  return socket;
}

/** Start and end of a frame's payload; `undefined` if the frame is incomplete. */
function frameAt(bytes: Buffer, at: number): { readonly start: number; readonly end: number } | undefined {
  const short = (bytes[at + 1] ?? 0) & 0x7f;
  const start = at + (short < 126 ? 2 : 4);
  if (start > bytes.length) return undefined;
  const end = start + (short < 126 ? short : bytes.readUInt16BE(at + 2));
  return end > bytes.length ? undefined : { start, end };
}

function recordDelay(message: string, { delays }: Received): void {
  const time = /"time":"([^"]+)"/.exec(message)?.[1];
  if (time !== undefined) delays.push(Date.now() - Date.parse(time));
}

/**
 * Opens a listener with very little overhead, so that one process can have thousands of them: it reads the headers of frames
 * only, and their payloads only if it measures delays.
 */
export async function listen(url: string, subscription: string, received: Received, measures: boolean): Promise<Socket> {
  const socket = await connected(url);
  socket.write(subscribing("1", subscription));
  let rest: Buffer = Buffer.alloc(0);
  socket.on("data", (bytes: Buffer) => {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    let at = 0;
    for (let found = frameAt(all, at); found !== undefined; found = frameAt(all, at)) {
      if (all[at] === FINAL_TEXT) {
        received.messages++;
        if (measures) recordDelay(all.toString("latin1", found.start, found.end), received);
      } else if (all[at] === PING) socket.write(PONG);
      at = found.end;
    }
    rest = all.subarray(at);
  });
  socket.on("error", () => undefined);
  return socket;
}
