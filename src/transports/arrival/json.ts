const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** Whether a `Content-Type` is JSON. A page of another origin cannot send that without a preflight. */
export const saysJson = (contentType: string | undefined): boolean => contentType !== undefined && JSON_TYPE.test(contentType);
