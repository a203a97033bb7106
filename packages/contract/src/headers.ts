/** The headers of REST calls and their answers. Letter case never matters. */
export const HEADERS = {
  key: "ACCESS-KEY",
  passphrase: "ACCESS-PASSPHRASE",
  /** Unix ms, as text. */
  timestamp: "ACCESS-TIMESTAMP",
  sign: "ACCESS-SIGN",
  /** `1`: the call is for the demo environment. */
  demo: "paptrading",
  /** Of an answer: number of calls that its endpoint has left in the current window. */
  remaining: "x-mbx-used-remain-limit",
} as const;
