import {
  classicCrossedMarginRecords,
  classicFuturesBills,
  classicIsolatedMarginRecords,
  classicSpotBills,
  financialRecords,
  fundingFinancialRecords,
} from "@exchange-graph/contract/financialRecord";
import { inCapitals, isNamed } from "@exchange-graph/contract/letterCase";
import type { FinancialRecord, FinancialRecords } from "../world/funds/financialRecords.js";
import { walletOfCategory } from "../world/funds/wallets.js";
import { type Wallet, walletOf } from "../world/ledger.js";
import { type Handler, signed } from "./handler.js";
import { type HistoryQuery, type IdPage, pageBelow } from "./paging.js";
import { categoryOf } from "./symbols.js";
import { fundingRecord, futuresBill, marginRecord, spotBill, unifiedCategory, unifiedRecord } from "./wire/financialRecord.js";

export function financialRecordHandlers(records: FinancialRecords): readonly Handler[] {
  function page<W>(
    wallet: Wallet,
    uid: string,
    { coin, startTime = 0, endTime = Number.MAX_SAFE_INTEGER, limit }: HistoryQuery,
    before: string | undefined,
    write: (record: FinancialRecord) => W,
    isMeant: (record: FinancialRecord) => boolean = () => true,
  ): { readonly rows: readonly W[]; readonly lastId: string } {
    const found: IdPage<FinancialRecord> = pageBelow(
      records.of(uid),
      ({ id }) => id,
      before,
      limit,
      (record) =>
        record.wallet === wallet &&
        isNamed(record.coin, coin) &&
        record.at >= startTime &&
        record.at <= endTime &&
        isMeant(record),
    );
    return { rows: found.rows.map(write), lastId: found.lastId ?? "" };
  }

  return [
    signed(financialRecords, ({ values, uid }) => {
      const { category, type, cursor } = values;
      const { rows, lastId } = page(
        walletOf(uid, "unified"),
        uid,
        values,
        cursor,
        unifiedRecord,
        (record) => unifiedCategory(record) === category && isOfType(record, type, (row) => unifiedRecord(row).type),
      );
      return { list: rows.length === 0 ? null : rows, cursor: lastId };
    }),

    signed(fundingFinancialRecords, ({ values, uid }) => {
      const { rows, lastId } = page(walletOf(uid, "funding"), uid, values, values.cursor, fundingRecord, (record) =>
        isOfType(record, values.type, (row) => fundingRecord(row).type),
      );
      return { list: rows.length === 0 ? null : rows, cursor: lastId };
    }),

    signed(classicSpotBills, ({ values, uid }) => {
      const { groupType, businessType, idLessThan } = values;
      const isMeant = (record: FinancialRecord) =>
        (groupType === undefined || groupType === spotBill(record).groupType) &&
        isOfType(record, businessType, (row) => spotBill(row).businessType);
      return page(walletOf(uid, "spot"), uid, values, idLessThan, spotBill, isMeant).rows;
    }),

    signed(classicFuturesBills, ({ values, uid }) => {
      const { productType, businessType, idLessThan } = values;
      const isMeant = (record: FinancialRecord) => isOfType(record, businessType, (row) => futuresBill(row).businessType);
      const wallet = walletOf(uid, walletOfCategory(categoryOf(productType)));
      const { rows, lastId } = page(wallet, uid, values, idLessThan, futuresBill, isMeant);
      return { bills: rows, endId: lastId };
    }),

    signed(classicCrossedMarginRecords, ({ values, uid }) =>
      marginPage(page(walletOf(uid, "crossed-margin"), uid, values, values.idLessThan, marginRecord, ofType(values.marginType))),
    ),

    signed(classicIsolatedMarginRecords, ({ values, uid }) => {
      const symbol = inCapitals(values.symbol);
      const wallet = walletOf(uid, "isolated-margin", symbol);
      const write = (record: FinancialRecord) => ({ ...marginRecord(record), symbol });
      return marginPage(page(wallet, uid, values, values.idLessThan, write, ofType(values.marginType)));
    }),
  ];
}

/** Whether a record is of a type, if one is asked for. A row is written only then: histories are long. */
const isOfType = (record: FinancialRecord, type: string | undefined, typeOf: (record: FinancialRecord) => string): boolean =>
  type === undefined || isNamed(typeOf(record).toUpperCase(), type);

const ofType =
  (type: string | undefined) =>
  (record: FinancialRecord): boolean =>
    isOfType(record, type, (row) => marginRecord(row).marginType);

const marginPage = ({ rows, lastId }: { readonly rows: readonly { readonly marginId: string }[]; readonly lastId: string }) => ({
  resultList: rows,
  maxId: rows[0]?.marginId ?? "",
  minId: lastId,
});
