import { convertCurrencies, convertQuote, convertRecords, convertTrade } from "@exchange-graph/contract/convert";
import { Exact, exact, plain } from "@exchange-graph/contract/decimal";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { type Conversion, type ConversionTerms, type ConvertService, LIMITS_IN_USDT } from "../world/convert/convertService.js";
import { type Handler, signed } from "./handler.js";
import { createdWithin, pageBelow } from "./paging.js";
import { PLACES, text, withBareNumbers } from "./wire/fields.js";

/** Handlers of convert: one coin for another at a quoted price. */
export function convertHandlers(service: ConvertService): readonly Handler[] {
  const { ledger, fundsOf, usdtPrice } = service.office;

  return [
    signed(convertCurrencies, ({ uid }) =>
      service.coins.map((coin) => ({
        coin,
        available: plain(ledger.balance(fundsOf(uid), coin).available),
        maxAmount: text(LIMITS_IN_USDT.max.div(usdtPrice(coin))),
        minAmount: text(LIMITS_IN_USDT.min.div(usdtPrice(coin))),
      })),
    ),

    signed(convertQuote, ({ values, uid }) => {
      const quotation = service.quote(uid, {
        fromCoin: inCapitals(values.fromCoin),
        toCoin: inCapitals(values.toCoin),
        fromCoinSize: values.fromCoinSize === undefined ? undefined : exact(values.fromCoinSize),
        toCoinSize: values.toCoinSize === undefined ? undefined : exact(values.toCoinSize),
      });
      return withBareNumbers({ ...sides(quotation), traceId: quotation.traceId }, "fromCoinSize");
    }),

    signed(convertTrade, ({ values, uid }) => {
      const { createdTime, price, toCoinSize, toCoin } = service.trade(uid, values.traceId, {
        fromCoin: inCapitals(values.fromCoin),
        fromCoinSize: exact(values.fromCoinSize),
        toCoin: inCapitals(values.toCoin),
        toCoinSize: exact(values.toCoinSize),
        price: exact(values.cnvtPrice),
      });
      return {
        ts: String(createdTime),
        cnvtPrice: plain(price.round(PLACES, Exact.roundHalfUp)),
        toCoinSize: plain(toCoinSize),
        toCoin,
      };
    }),

    signed(convertRecords, ({ values, uid }) => {
      const found = createdWithin(service.conversions.of(uid), values);
      const { rows, lastId } = pageBelow(found, ({ id }) => id, values.idLessThan, values.limit);
      return withBareNumbers({ dataList: rows.map(past), endId: lastId ?? "" }, "fromCoinSize");
    }),
  ];
}

const sides = ({ fromCoin, fromCoinSize, toCoin, toCoinSize, price }: ConversionTerms) => ({
  fee: "0",
  fromCoinSize: plain(fromCoinSize),
  fromCoin,
  cnvtPrice: plain(price),
  toCoinSize: plain(toCoinSize),
  toCoin,
});

const past = (conversion: Conversion): unknown => ({
  id: conversion.id,
  ts: String(conversion.createdTime),
  ...sides(conversion),
});
