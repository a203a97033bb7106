/**
 * What the exchange says when it refuses. The text belongs to the code; `{0}`, `{1}` are filled per call. Refusals
 * travel with HTTP 400 unless a status stands beside them.
 */
const REFUSALS = {
  "00001": { text: "startTime and endTime interval cannot be greater than {0}" },
  "12004": { text: "Failed to obtain the quoted price" },
  "12006": { text: "The amount is below the minimum of {0}" },
  "12007": { text: "The amount exceeds the maximum of {0}" },
  "12021": { text: "The quoted price has expired" },
  "12022": { text: "The quoted price has changed" },
  "22002": { text: "No position to close" },
  "25204": { text: "Order does not exist" },
  "40002": { text: "ACCESS_SIGN cannot be empty" },
  "40005": { text: "Invalid ACCESS_TIMESTAMP" },
  "40006": { text: "Invalid ACCESS_KEY" },
  "40007": { text: "Invalid Content_Type" },
  "40008": { text: "Request timestamp expired" },
  "40009": { text: "sign signature error" },
  "40011": { text: "ACCESS_PASSPHRASE cannot be empty" },
  "40012": { text: "apikey/password is incorrect" },
  "40014": { text: "Incorrect permissions, need {0} permissions" },
  "40017": { text: "Parameter verification failed {0}" },
  "40019": { text: "Parameter {0} cannot be empty" },
  "40020": { text: "Parameter {0} error" },
  "40029": { text: "Not a Broker" },
  "40034": { text: "Parameter {0} does not exist" },
  "40037": { text: "Apikey does not exist" },
  "40084": { text: "You are in Classic Account mode, and the Unified Account API is not supported at this time" },
  "40085": { text: "You are in Unified Account mode, and the Classic Account API is not supported at this time" },
  "40099": { text: "exchange environment is incorrect" },
  "40404": { text: "Request URL NOT FOUND", status: 404 },
  "40704": { text: "only the last {0} can be queried" },
  "40707": { text: "the start time cannot be later than the end time" },
  "40725": { text: "service return an error", status: 500 },
  "40812": { text: "The condition {0} is not met" },
  "400172": { text: "Parameter verification failed: {0} Illegal type" },
  "429": { text: "Too Many Requests", status: 429 },
  "43012": { text: "Insufficient balance" },
  "59011": { text: "Insufficient balance" },
  "59033": { text: "The amount is below the minimum of {0}" },
  "59037": { text: "The product status does not allow this operation" },
  "59044": { text: "Operations are frequent, please try again later." },
} as const satisfies Readonly<Record<string, { readonly text: string; readonly status?: number }>>;

/** A code that the sandbox answers with. */
export type RefusalCode = keyof typeof REFUSALS;

/** A call that the exchange refuses. Thrown anywhere below the HTTP face, which turns it into an envelope. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  readonly status: number;

  /** `values` fill the placeholders of the code's text. */
  constructor(code: RefusalCode, ...values: readonly string[]) {
    const known: { readonly text: string; readonly status?: number } = REFUSALS[code];
    super(known.text.replace(/\{(\d)\}/g, (_, at: string) => values[Number.parseInt(at, 10)] ?? ""));
    this.code = code;
    this.status = known.status ?? 400;
  }
}
