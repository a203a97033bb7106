const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** Does a `Content-Type` say that the body is JSON? Another origin's page cannot claim that without a preflight. */
export const saysJson = (contentType: string | undefined): boolean => contentType !== undefined && JSON_TYPE.test(contentType);
