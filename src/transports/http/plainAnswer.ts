import { STATUS_CODES } from "node:http";
import type { HttpAnswer } from "../arrival/answer.js";
import { SECURITY_HEADERS } from "../arrival/securityHeaders.js";

/** A complete answer as HTTP/1.1 text, for connections without a `ServerResponse`. The connection is closed after it. */
export function plainAnswer({ status, headers, body }: HttpAnswer): string {
  const lines = Object.entries({
    ...SECURITY_HEADERS,
    ...headers,
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`), "", body].join(
    "\r\n",
  );
}
