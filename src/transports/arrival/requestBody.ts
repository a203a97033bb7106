import type { IncomingMessage } from "node:http";

/**
 * Reads a request body as text; `undefined` if it exceeds `maxBytes`. Does not call `done` if the request is aborted: there is no
 * client to answer.
 */
export function readBody(request: IncomingMessage, maxBytes: number, done: (text: string | undefined) => void): void {
  // A body whose declared length is too large is not read.
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
