import { isObject, parseJson } from "./json.js";

/** Every answer is one of these, failures included. */
export interface Envelope {
  /** `00000` is success, anything else is not. */
  readonly code: string;
  readonly msg: string;
  /** The exchange's clock, Unix ms; a few answers leave it out. */
  readonly requestTime: number | undefined;
  readonly data: unknown;
}

/** The code of an answer that is no refusal. */
export const SUCCESS = "00000";

/**
 * Reads a body, by `parse` where it is like others that were read before. `undefined` when it is not an envelope at all: empty,
 * cut off, HTML, JSON of another shape.
 */
export function readEnvelope(body: string, parse: (text: string) => unknown = parseJson): Envelope | undefined {
  let json: unknown;
  try {
    json = parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isObject(json)) return undefined;
  const { code, msg, message, requestTime, data } = json;
  if (typeof code !== "string" && typeof code !== "number") return undefined;
  const text = msg ?? message;
  const time = typeof requestTime === "string" ? Number.parseInt(requestTime, 10) : requestTime;
  return {
    code: String(code),
    msg: typeof text === "string" ? text : "",
    requestTime: typeof time === "number" && Number.isSafeInteger(time) ? time : undefined,
    data,
  };
}
