import { createHmac } from "node:crypto";

/** Maximum difference between the ACCESS-TIMESTAMP header and the exchange's clock, in either direction. */
export const TIMESTAMP_WINDOW_MS = 30_000;

/** The signed parts. `target` is the path with its query as it is signed; `body` the exact body text. */
export interface SignedParts {
  readonly timestamp: string;
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly body?: string | undefined;
}

const hmac = (secret: string, message: string): string => createHmac("sha256", secret).update(message, "utf8").digest("base64");

/** The text that a REST call signs: timestamp, method, path with query, body. */
export const prehash = ({ timestamp, method, target, body = "" }: SignedParts): string => `${timestamp}${method}${target}${body}`;

/** ACCESS-SIGN: base64 of HMAC-SHA256 over the prehash. Both API versions use the same signature. */
export const signature = (secret: string, parts: SignedParts): string => hmac(secret, prehash(parts));

/** The signature of a WebSocket login; `timestamp` is Unix seconds (milliseconds are accepted too). */
export const loginSignature = (secret: string, timestamp: string): string => hmac(secret, `${timestamp}GET/user/verify`);

/** Form of a query: readable, or percent-encoded as it is sent. */
export type QueryForm = "decoded" | "encoded";

const WRITTEN: Readonly<Record<QueryForm, (text: string) => string>> = {
  decoded: (text) => text,
  encoded: encodeURIComponent,
};

/**
 * A query string. The order is the client's: the exchange sorts nothing. The encoded form is what is sent. The
 * decoded form is what is signed: the live service has refused signatures over the encoded one with 40009.
 */
export const queryString = (parameters: Readonly<Record<string, unknown>>, form: QueryForm = "encoded"): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${WRITTEN[form](name)}=${WRITTEN[form](String(value))}`)
    .join("&");
