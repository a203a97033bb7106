import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** What listeners have heard since they were asked last. */
export interface Heard {
  messages: number;
  /** Of some of them, ms. */
  delays: number[];
}

const KEY = Buffer.alloc(16, 1).toString("base64");

/** A text frame as clients send it, masked with zeros. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(payload.length < 126 ? 6 : 8);
  head[0] = 0x81;
  if (payload.length < 126) head[1] = 0x80 | payload.length;
  else {
    head[1] = 0x80 | 126;
    head.writeUInt16BE(payload.length, 2);
  }
  return Buffer.concat([head, payload]);
}

/**
 * A listener that costs next to nothing, so that a machine can hold thousands: it walks over the frames' headers, and
 * reads only the last message of what comes at once, and only if it is one of those that measure.
 */
export async function listen(url: string, subscription: string, heard: Heard, measures: boolean): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number.parseInt(port, 10), hostname);
  await once(socket, "connect");
  socket.write(
    `GET /graphql HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${KEY}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`,
  );
  const [answer] = (await once(socket, "data")) as [Buffer];
  if (!answer.includes(" 101 ")) throw new Error(`${url} takes no socket: ${answer.toString("utf8")}`);
  socket.write(frame('{"type":"connection_init"}'));
  socket.write(frame(JSON.stringify({ id: "1", type: "subscribe", payload: { query: subscription } })));
  let rest: Buffer = Buffer.alloc(0);
  socket.on("data", (bytes: Buffer) => {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    let at = 0;
    let last: Buffer | undefined;
    for (;;) {
      const short = (all[at + 1] ?? 0) & 0x7f;
      const start = at + (short < 126 ? 2 : 4);
      if (start > all.length) break;
      const end = start + (short < 126 ? short : all.readUInt16BE(at + 2));
      if (end > all.length) break;
      if (all[at] === 0x81) {
        heard.messages++;
        last = all.subarray(start, end);
      }
      at = end;
    }
    rest = all.subarray(at);
    const time = measures ? /"time":"([^"]+)"/.exec(last?.toString("latin1") ?? "")?.[1] : undefined;
    if (time !== undefined) heard.delays.push(Date.now() - Date.parse(time));
  });
  socket.on("error", () => undefined);
  return socket;
}
