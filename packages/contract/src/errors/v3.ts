import { GATE_ERRORS } from "./gate.js";
import { type ErrorRow, group, span } from "./row.js";

/** The codes of the unified interface. */
export const V3_ERRORS: readonly ErrorRow[] = [
  GATE_ERRORS,
  group("permission", "never", { "25620": "Permission denied" }),
  group("accountMode", "never", {
    "40084": "The account is Classic: the unified interface does not serve it",
    "25245": "The account is not a unified account",
  }),
  group("validation", "fix", { "25200": "{0} is not valid" }),
  group("rateLimit", "backoff", { "25004": "Operations are too frequent" }),
  group("balance", "never", {
    "25202": "The balance is insufficient",
    "25203": "The margin is insufficient",
    "40762": "The order is larger than the balance or the position tier allows",
    "43117": "More than can be transferred",
    "43152": "More than can be transferred",
  }),
  group("orderNotFound", "never", {
    "22001": "There is no order to cancel",
    "25575": "The strategy order does not exist",
    "25577": "The strategy order does not exist",
    "25597": "The strategy order does not exist, or has ended",
    "25204": "The order does not exist",
  }),
  group("duplicate", "look up", { "25212": "The clientOid is taken by another order" }),
  group("symbol", "never", {
    "40309": "The contract has been removed",
    "25013": "The symbol is not open to the interface",
    "25100": "The pair does not exist",
    "25101": "The pair is not open",
    "25104": "The pair has been delisted",
    "25105": "No positions may be opened on the pair",
  }),
  group("symbol", "backoff", {
    "25102": "The pair is under maintenance",
    "25103": "The pair opens soon",
    "25106": "The pair is being settled",
  }),
  group("bounds", "fix", {
    "25207": "Less than the minimum quantity",
    "25208": "More than the maximum quantity",
    "25611": "Less than the minimum amount",
  }),
  group("bounds", "never", {
    "25230": "The position would outgrow its limit",
    "25233": "The position would outgrow its tier",
  }),
  group("bounds", "backoff", { "25211": "Too many open orders" }),
  group("priceBand", "fix", {
    "25205": "The price is more than {1}% too low",
    "25206": "The price is more than {1}% too high",
  }),
  group("precision", "fix", {
    "25244": "The price is not a multiple of the tick",
    "25610": "The amount has too many decimals",
  }),
  group("positionMode", "fix", {
    "25236": "The order's position side is missing or does not fit the position mode",
    "25237": "Orders that only close exist in hedge mode alone",
  }),
  group("positionMode", "never", {
    "25010": "The position mode cannot be switched",
    "25107": "The position mode cannot be switched while a position is open",
    "25570": "The position mode cannot be switched while an order is open",
  }),
  group("marginMode", "never", { "45117": "The margin mode cannot be changed while a position or an order is open" }),
  group("leverage", "never", {
    "25223": "The leverage is above the maximum",
    "25228": "The margin is not enough for the leverage",
  }),
  group("position", "never", {
    "25225": "The position is not large enough",
    "25226": "The position is not large enough",
    "25227": "There is no position to close",
    "25231": "The position is not large enough",
    "25601": "There is no position for a take-profit or stop-loss order",
  }),
  group("tpsl", "fix", {
    ...span(25579, 25592, "The take-profit or stop-loss price is on the wrong side of the price it is measured by"),
    "25612": "Take-profit and stop-loss prices go with opening orders alone",
  }),
  group("modify", "never", {
    "25568": "The order cannot be modified any more",
    "25571": "Nothing would change",
    "25576": "The strategy order is already being stopped",
    "25596": "The strategy order was triggered or has failed, and cannot be modified",
    "25598": "The state of the strategy order does not allow the modification",
    "25574": "The order protects a reduce-only order",
  }),
  group("modify", "backoff", {
    "25114": "Another operation on the order is under way",
    "25569": "The order has been modified as often as it may be",
    "25572": "A modification is under way",
    "25573": "The modification was skipped",
  }),
  group("unavailable", "look up", {
    "25000": "System error",
    "25001": "The request timed out",
  }),
  group("unavailable", "backoff", { "25003": "Another operation is under way" }),
].flat();
