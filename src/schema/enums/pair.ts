import { MARGIN_PAIR_STATUSES, SPOT_SYMBOL_STATUSES } from "@exchange-graph/contract/pair";
import { openEnum } from "./exchangeEnum.js";

openEnum("SpotSymbolStatus", SPOT_SYMBOL_STATUSES, "State of trading in a spot symbol", {
  offline: "Not tradable: not listed yet, or delisted",
  gray: "Grey scale: open to some users only",
  online: "It can be traded",
  halt: "Trading is suspended",
});

openEnum("MarginPairStatus", MARGIN_PAIR_STATUSES, "State of margin trading in a pair; the exchange writes it as a number", {
  tradable: "Can be traded on margin (`1`)",
  maintenance: "Under temporary maintenance (`2`)",
});
