/** JSON text that is sent unchanged. */
export class Verbatim {
  constructor(readonly json: string) {}
}

/** `data` as JSON, once and for all. */
export const verbatim = (data: unknown): Verbatim => new Verbatim(JSON.stringify(data));

/**
 * `data` as JSON, with the decimal texts under the given keys as bare numbers. The exchange sends some amounts so; a
 * JavaScript number would round those with more than fifteen digits.
 */
export function withBareNumbers(data: unknown, ...keys: readonly string[]): Verbatim {
  const quoted = new RegExp(`("(?:${keys.join("|")})":)"(-?\\d+(?:\\.\\d+)?)"`, "g");
  return new Verbatim(JSON.stringify(data).replace(quoted, "$1$2"));
}
