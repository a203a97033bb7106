import { decimal, type Decoded, record, text, time } from "./codec.js";
import { endpoint, perSecond } from "./endpoint.js";
import { amount, coinName, required, words } from "./parameter.js";

/** Convert: one coin for another at a price quoted beforehand. */

/** How long a quotation stands. */
export const QUOTE_VALIDITY_MS = 8_000;

/** Convert has no permission of its own. It exchanges coins in the spot account: spot trade. */
const WRITE_PERMISSIONS = ["stow"];

export const conversion = record({
  toCoin: text("Coin received"),
  toCoinSize: decimal("Amount received"),
  cnvtPrice: decimal("Price of the conversion"),
  createdTime: time("When the conversion took place", "ts"),
});
export type Conversion = Decoded<typeof conversion>;

export const convertTrade = endpoint({
  name: "convertTrade",
  doc: "Converts one coin into another at a quoted price",
  method: "POST",
  path: "/api/v2/convert/trade",
  generation: "v2",
  access: "private",
  serves: "BOTH",
  permissions: WRITE_PERMISSIONS,
  rate: perSecond(10, "UID", { cautious: 5 }),
  parameters: {
    fromCoin: required("Coin given", coinName()),
    fromCoinSize: required("Amount given, as quoted", amount()),
    cnvtPrice: required("Price, as quoted", amount()),
    toCoin: required("Coin received", coinName()),
    toCoinSize: required("Amount received, as quoted", amount()),
    traceId: required("Identifier of the quotation, which stands for 8 seconds", words()),
  },
  data: conversion,
});
