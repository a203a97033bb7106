import { convertCurrencies, convertQuote, convertRecords, convertTrade } from "@exchange-graph/contract/convert";
import { Exact, exact, plain } from "@exchange-graph/contract/decimal";
import type { ParametersOf } from "@exchange-graph/contract/endpoint";
import { inCapitals, isNamed } from "@exchange-graph/contract/letterCase";
import { classicSubTransfers, classicTransfers, subTransfers, type TransferWallet } from "@exchange-graph/contract/transfer";
import { type Conversion, type ConversionTerms, type ConvertService, LIMITS_IN_USDT } from "../world/convert/convertService.js";
import type { WalletKind } from "../world/ledger.js";
import type { Transfer, Transfers } from "../world/transfers.js";
import { filledIn, type Handler, signed } from "./handler.js";
import { createdWithin, numberedPage, pageBelow } from "./paging.js";
import { PLACES, text, withBareNumbers } from "./wire/fields.js";

/** The exchange's words for the wallets of transfers. */
export const TRANSFER_WORDS: ReadonlyMap<WalletKind, TransferWallet> = new Map<WalletKind, TransferWallet>([
  ["spot", "spot"],
  ["funding", "p2p"],
  ["coin-futures", "coin_futures"],
  ["usdt-futures", "usdt_futures"],
  ["usdc-futures", "usdc_futures"],
  ["crossed-margin", "crossed_margin"],
  ["isolated-margin", "isolated_margin"],
  ["unified", "uta"],
]);
const wordOf = (kind: WalletKind): string => TRANSFER_WORDS.get(kind) ?? kind;

const isWithin = ({ from, to }: Transfer): boolean => from.uid === to.uid;

/** Transfers between the wallets of a user, and between a master and its sub-accounts. */
export function transferHandlers(transfers: Transfers): readonly Handler[] {
  const subPage = (uid: string, values: Omit<ParametersOf<typeof subTransfers>, "cursor">, before?: string) => {
    const { coin, role, subUid, clientOid, limit } = values;
    const user = subUid ?? uid;
    const found = createdWithin(transfers.records.of(uid), values).filter(
      (row) =>
        !isWithin(row) &&
        (role === "receiver" ? row.to : row.from).uid === user &&
        isNamed(row.coin, coin) &&
        (clientOid ?? row.clientOid) === row.clientOid,
    );
    return pageBelow(found, ({ transferId }) => transferId, before, limit);
  };

  return [
    signed(classicTransfers, ({ values, uid }) => {
      const { coin, fromType, clientOid, pageNum, limit } = values;
      const found = createdWithin(transfers.records.of(uid), values).filter(
        (row) =>
          isWithin(row) &&
          isNamed(row.coin, coin) &&
          (fromType ?? wordOf(row.from.kind)) === wordOf(row.from.kind) &&
          (clientOid ?? row.clientOid) === row.clientOid,
      );
      return numberedPage(found, { pageNo: pageNum, pageSize: filledIn(limit) }).map(ownTransfer);
    }),

    signed(classicSubTransfers, ({ values, uid }) => subPage(uid, values, values.idLessThan).rows.map(classicSubTransfer)),

    signed(subTransfers, ({ values, uid }) => {
      const { rows, lastId } = subPage(uid, values, values.cursor);
      return { list: rows.map(subTransfer), cursor: lastId ?? "" };
    }),
  ];
}

const classicFields = ({ transferId, clientOid, coin, amount, from, to, createdTime }: Transfer) => ({
  coin,
  status: "Successful",
  fromType: wordOf(from.kind),
  toType: wordOf(to.kind),
  size: plain(amount),
  ts: String(createdTime),
  clientOid,
  transferId,
});

const ownTransfer = (transfer: Transfer): unknown => ({
  ...classicFields(transfer),
  fromSymbol: transfer.from.symbol ?? "",
  toSymbol: transfer.to.symbol ?? "",
});

const classicSubTransfer = (transfer: Transfer): unknown => ({
  ...classicFields(transfer),
  newTransferId: transfer.transferId,
  fromUserId: transfer.from.uid,
  toUserId: transfer.to.uid,
});

const subTransfer = ({ transferId, clientOid, coin, amount, from, to, createdTime }: Transfer): unknown => ({
  transferId,
  fromType: wordOf(from.kind),
  toType: wordOf(to.kind),
  amount: plain(amount),
  coin,
  fromUserId: from.uid,
  toUserId: to.uid,
  status: "Successful",
  clientOid,
  createdTime: String(createdTime),
  updatedTime: String(createdTime),
  oldTransferId: transferId,
});

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
