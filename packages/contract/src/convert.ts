import { type Decoded, decimal, id, optionalDecimal, optionalText, optionalTime, text, time } from "./codec.js";
import { endpoint, PRIVATE_HISTORY, PRIVATE_STATE, perSecond, writeEndpoint } from "./endpoint.js";
import { listOf } from "./lists.js";
import { classicPage } from "./page.js";
import { amount, classicPaging, coinName, maybe, required, textRule, timestamp } from "./parameter.js";
import { SPOT_READ, SPOT_WRITE } from "./permissions.js";
import { record } from "./record.js";

/** Convert: exchanges one coin for another at a price quoted in advance. */

/** Time for which a quotation is valid, in ms. The exchange does not send its end. */
export const QUOTE_VALIDITY_MS = 8_000;

export const convertCurrency = record({
  coin: id("Coin, for example `USDT`"),
  available: optionalDecimal("What the account has of it; null where the exchange leaves it empty"),
  maxAmount: optionalDecimal("Most that can be converted at once, in the coin"),
  minAmount: optionalDecimal("Least that can be converted at once, in the coin"),
});

/** All terms are required: a quotation cannot be used without one of them. */
const terms = {
  fromCoin: text("Source coin"),
  fromAmount: decimal("Source amount, in that coin (`fromCoinSize`)", "fromCoinSize"),
  toCoin: text("Target coin"),
  toAmount: decimal("Target amount, in that coin (`toCoinSize`)", "toCoinSize"),
  price: decimal("Price of the conversion: what one unit of the coin given buys (`cnvtPrice`)", "cnvtPrice"),
  fee: optionalDecimal("Fee of the conversion; null where the exchange names none"),
};

export const quotation = record({
  ...terms,
  traceId: text("Identifier of the quotation: `traceId` of the conversion"),
});
export type Quotation = Decoded<typeof quotation>;

export const conversion = record({
  toCoin: optionalText("Coin received"),
  toAmount: optionalDecimal("Amount received", "toCoinSize"),
  price: optionalDecimal("Price of the conversion", "cnvtPrice"),
  createdTime: time("When the conversion took place", "ts"),
});

export const pastConversion = record({
  id: id("Record identifier"),
  fromCoin: optionalText("Coin given"),
  fromAmount: optionalDecimal("Amount given, in that coin (`fromCoinSize`)", "fromCoinSize"),
  toCoin: optionalText("Coin received"),
  toAmount: optionalDecimal("Amount received, in that coin (`toCoinSize`)", "toCoinSize"),
  price: optionalDecimal("Price of the conversion: what one unit of the coin given bought (`cnvtPrice`)", "cnvtPrice"),
  fee: optionalDecimal("Fee of the conversion; null where the exchange names none"),
  createdTime: optionalTime("When it took place (the exchange's `ts`)", "ts"),
});
export type PastConversion = Decoded<typeof pastConversion>;

const READ = { serves: "BOTH", permissions: SPOT_READ, rate: perSecond(10, "UID") } as const;

export const convertCurrencies = endpoint({
  ...READ,
  name: "convertCurrencies",
  doc: "Coins that can be converted, and how much of each",
  path: "/api/v2/convert/currencies",
  cache: PRIVATE_STATE,
  parameters: {},
  data: listOf(convertCurrency),
});

export const convertQuote = endpoint({
  ...READ,
  name: "convertQuote",
  doc: "A price for a conversion, good for 8 seconds",
  path: "/api/v2/convert/quoted-price",
  parameters: {
    fromCoin: required("Source coin", coinName()),
    toCoin: required("Target coin", coinName()),
    fromCoinSize: maybe("Source amount", amount()),
    toCoinSize: maybe("Target amount", amount()),
  },
  rules: [
    {
      rule: "must be given, or the amount to receive in its place",
      broken: ({ fromCoinSize, toCoinSize }) =>
        fromCoinSize === undefined && toCoinSize === undefined ? "fromCoinSize" : undefined,
    },
    {
      rule: "must be left out when the amount to give is given",
      broken: ({ fromCoinSize, toCoinSize }) =>
        fromCoinSize !== undefined && toCoinSize !== undefined ? "toCoinSize" : undefined,
    },
  ],
  data: quotation,
});

export const convertTrade = writeEndpoint({
  name: "convertTrade",
  doc: "Converts one coin into another at a quoted price",
  path: "/api/v2/convert/trade",
  serves: "BOTH",
  permissions: SPOT_WRITE,
  rate: perSecond(10, "UID", { cautious: 5 }),
  parameters: {
    fromCoin: required("Coin given", coinName()),
    fromCoinSize: required("Amount given, as quoted", amount()),
    cnvtPrice: required("Price, as quoted", amount()),
    toCoin: required("Coin received", coinName()),
    toCoinSize: required("Amount received, as quoted", amount()),
    traceId: required("Identifier of the quotation, which is valid for 8 seconds", textRule()),
  },
  data: conversion,
});

export const convertRecords = endpoint({
  ...READ,
  name: "convertRecords",
  doc: "Conversions that took place",
  path: "/api/v2/convert/convert-record",
  cache: PRIVATE_HISTORY,
  parameters: {
    startTime: required("From here on", timestamp()),
    endTime: required("Up to here", timestamp()),
    ...classicPaging(20, 100),
  },
  window: { from: "startTime", to: "endTime", range: { days: 90 } },
  data: classicPage(pastConversion, "dataList"),
});
