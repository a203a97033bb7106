import { CONGESTION } from "@exchange-graph/contract/coin";
import { openEnum } from "./exchangeEnum.js";

openEnum("ChainCongestion", CONGESTION, "State of a chain's network", {
  normal: "Transfers take their usual time",
  congested: "Transfers are slow",
});
