import { shortened, withoutControls } from "./exchangeText.js";
import { isObject, jsonIn, parseJson } from "./json.js";

/** The body of every answer, including errors. */
export interface Envelope {
  /** `00000` is success, anything else is not. */
  readonly code: string;
  readonly msg: string;
  /** The exchange's clock, Unix ms; a few answers omit it. */
  readonly requestTime: number | undefined;
  readonly data: unknown;
}

export const SUCCESS = "00000";

/**
 * Reads a body with `parse`, which may be a parser for answers of a known form. Its texts have no control characters, and code and
 * text a bounded length. `undefined` if it is not an envelope: empty,
 * truncated, HTML, or JSON of another shape.
 */
export function readEnvelope(body: string, parse: (text: string) => unknown = parseJson): Envelope | undefined {
  const json = jsonIn(withoutControls(body), parse);
  if (!isObject(json)) return undefined;
  const { code, msg, message, requestTime, data } = json;
  if (typeof code !== "string" && typeof code !== "number") return undefined;
  const text = msg ?? message;
  const time = typeof requestTime === "string" ? Number.parseInt(requestTime, 10) : requestTime;
  return {
    code: shortened(String(code)),
    msg: typeof text === "string" ? shortened(text) : "",
    requestTime: typeof time === "number" && Number.isSafeInteger(time) ? time : undefined,
    data,
  };
}
