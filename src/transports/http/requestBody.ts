import type { IncomingMessage } from "node:http";

/**
 * Reads the body of a request as text; `undefined` once it is longer than `maxBytes`. Says nothing when the request
 * breaks off: there is nobody left to answer, and Node reports it only to listeners for errors.
 */
export function readBody(request: IncomingMessage, maxBytes: number, done: (text: string | undefined) => void): void {
  // Whoever says beforehand that it is too long need not send it.
  if (Number.parseInt(request.headers["content-length"] ?? "0", 10) > maxBytes) {
    done(undefined);
    return;
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  request.on("data", (part: Buffer) => {
    if (bytes > maxBytes) return;
    bytes += part.length;
    if (bytes > maxBytes) done(undefined);
    else parts.push(part);
  });
  request.on("end", () => {
    if (bytes > maxBytes) return;
    const [first, ...others] = parts;
    done(first === undefined ? "" : (others.length === 0 ? first : Buffer.concat(parts)).toString("utf8"));
  });
}
