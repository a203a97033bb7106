import { type ErrorRow, group, span } from "./row.js";

/** The codes of convert, earn, loans, brokers and withdrawals, which only the Classic interface serves. */
export const FUNDS_ERRORS: readonly ErrorRow[] = [
  group("convert", "never", {
    "12004": "The quotation failed",
    "12006": "Less than the minimum amount",
    "12007": "More than the maximum amount",
    "12021": "The quotation has expired",
    "12022": "The price or the amounts differ from the quotation",
  }),
  group("earn", "fix", {
    ...span(59001, 59002, "The earn product refuses"),
    "59003": "The earn product is not open",
    ...span(59004, 59010, "The earn product refuses"),
    "59012": "The earn product refuses",
    "59013": "A parameter is wrong",
    "59014": "Too many decimals",
    ...span(59015, 59032, "The earn product refuses"),
    "59033": "Less than the minimum redemption",
    "59034": "The earn product refuses",
    "59035": "Less than the minimum redemption",
    "59036": "The earn product refuses",
    "59037": "The product's state does not allow it",
    ...span(59038, 59043, "The earn product refuses"),
  }),
  group("loan", "fix", {
    "80001": "A parameter is wrong",
    "80003": "The coin does not exist",
    "80004": "The coin does not exist",
    ...span(80005, 80008, "The amount is outside the loan limits"),
    "80009": "The lending pool is not large enough",
    "80010": "The price has moved too far",
    "80011": "The loan does not exist",
    ...span(80012, 80019, "The loan desk refuses"),
    "80020": "Less than the minimum amount",
  }),
  group("broker", "never", { "40069": "The broker has as many sub-accounts as it may have" }),
  group("broker", "fix", { "40070": "A passphrase has 8 to 32 letters and digits" }),
  group("withdrawal", "fix", {
    "47001": "Deposits of the coin are switched off",
    "47002": "The address is wrong",
    "47003": "The address is not in the address book",
    "43116": "The address needs a tag",
    "42015": "The coin cannot be withdrawn",
  }),
  group("unavailable", "look up", { "80002": "The loan desk's system failed" }),
].flat();
