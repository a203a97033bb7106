import { type RawData, WebSocket } from "ws";

/** Receives the events of a connection. None arrives before `OpenWire` has returned. */
export interface WireListener {
  opened(): void;
  received(text: string): void;
  /** The connection has ended, or could not be opened. The last event. `cause` is the underlying error, if known. */
  closed(cause: Error | undefined): void;
}

/** A WebSocket connection. */
export interface Wire {
  send(text: string): void;
  /** Ends it with a close frame. */
  close(): void;
  /** Ends it at once, also before it is open. */
  terminate(): void;
}

/** Opens a connection to an address. Failures are events. */
export type OpenWire = (url: string, listener: WireListener) => Wire;

/** Maximum size of a frame; the exchange's are smaller. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** A connection over the network. */
export const openWebSocket: OpenWire = (url, listener) => {
  const ws = new WebSocket(url, { perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES });
  let cause: Error | undefined;
  ws.on("open", () => listener.opened());
  // Text frames arrive as one Buffer, ws's default for messages.
  ws.on("message", (data: RawData) => listener.received(data.toString()));
  // `close` follows every `error`.
  ws.on("error", (error) => {
    cause = error;
    ws.terminate();
  });
  ws.on("close", () => listener.closed(cause));
  return ws;
};
