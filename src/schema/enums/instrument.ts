import { ASSET_CLASSES, CONTRACT_TYPES, INSTRUMENT_STATUSES } from "@exchange-graph/contract/instrument";
import { MARGIN_PAIR_STATUSES, SPOT_SYMBOL_STATUSES } from "@exchange-graph/contract/pair";
import { DELIVERY_STATUSES } from "@exchange-graph/contract/ticker";
import { openEnum } from "./exchangeEnum.js";

openEnum("InstrumentStatus", INSTRUMENT_STATUSES, "State of trading in an instrument", {
  listed: "Listed, not yet tradable",
  online: "It can be traded",
  maintain: "Under maintenance, not tradable",
  limit_open: "Positions can be closed, not opened",
  limit_close: "Positions can be opened, not closed",
  offline: "Not tradable: delisted",
  restricted_api: "Not tradable through the API",
});

openEnum("ContractType", CONTRACT_TYPES, "Whether a futures contract expires", {
  perpetual: "Without expiry; funding keeps its price near the index",
  delivery: "Delivered at a set time",
});

export const AssetClass = openEnum(
  "AssetClass",
  ASSET_CLASSES,
  "Asset class of the base of an instrument (the exchange's newer `symbolType`)",
  {
    crypto: "A crypto coin, such as BTC",
    metal: "A precious metal, such as gold",
    stock: "A share of a company",
    commodity: "Another commodity, such as oil",
  },
);

openEnum("DeliveryStatus", DELIVERY_STATUSES, "State of a delivery contract", {
  delivery_config_period: "Newly listed, being set up",
  delivery_normal: "Trading as usual",
  delivery_before: "Shortly before the delivery: positions can no longer be opened",
  delivery_period: "Being delivered, not tradable",
});

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
