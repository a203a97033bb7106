const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** Does a `Content-Type` say that the body is JSON? Another origin's page cannot claim that without a preflight. */
export const saysJson = (contentType: string | undefined): boolean => contentType !== undefined && JSON_TYPE.test(contentType);

/** What a JSON text says; `undefined`, which no JSON is, where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
