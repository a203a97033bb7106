/** The symbols that the upstream lists, and the number of symbols in one query. */
export const SYMBOLS: readonly string[] = Array.from({ length: 400 }, (_, at) => `C${String(at).padStart(3, "0")}USDT`);
export const ASKED_AT_ONCE = 20;
