import { MISTAKES } from "./resultStatus.js";

const NAMES_JSON = /\bapplication\/json\b/i;

/**
 * The status of an answer. For clients that request `application/json` by name, which predate
 * `application/graphql-response+json`, such errors have status 200 (GraphQL over HTTP). All other clients get 400.
 */
export const statusFor = (
  status: number,
  errorCodes: readonly string[],
  contentType: string | undefined,
  accept: string | undefined,
): number =>
  status === 400 &&
  accept !== undefined &&
  NAMES_JSON.test(accept) &&
  contentType !== undefined &&
  NAMES_JSON.test(contentType) &&
  errorCodes.length > 0 &&
  errorCodes.every((code) => MISTAKES.has(code))
    ? 200
    : status;
