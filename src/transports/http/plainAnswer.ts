import { STATUS_CODES } from "node:http";
import type { Answer } from "./answer.js";
import { SECURITY_HEADERS } from "./securityHeaders.js";

/** A whole answer as it goes over the wire, where there is no `ServerResponse` to write it. Its connection ends with it. */
export function plainAnswer({ status, headers, body }: Answer): string {
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
