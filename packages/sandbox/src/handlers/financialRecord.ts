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
import { type IdPage, pageBelow } from "./paging.js";
import { categoryOf } from "./symbols.js";
import { fundingRecord, futuresBill, marginRecord, spotBill, unifiedCategory, unifiedRecord } from "./wire/financialRecord.js";

interface Query {
  readonly coin?: string | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly limit?: number | undefined;
}

/** Changes of balances. */
export function financialRecordHandlers(records: FinancialRecords): readonly Handler[] {
  /** The rows of a wallet on the page after a cursor. */
  function page<W>(
    wallet: Wallet,
    uid: string,
    { coin, startTime = 0, endTime = Number.MAX_SAFE_INTEGER, limit }: Query,
    before: string | undefined,
    write: (record: FinancialRecord) => W,
    isMeant: (row: W, record: FinancialRecord) => boolean,
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
        isMeant(write(record), record),
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
        (row, record) => unifiedCategory(record) === category && isNamed(row.type, type),
      );
      return { list: rows.length === 0 ? null : rows, cursor: lastId };
    }),

    signed(fundingFinancialRecords, ({ values, uid }) => {
      const { rows, lastId } = page(walletOf(uid, "funding"), uid, values, values.cursor, fundingRecord, (row) =>
        isNamed(row.type.toUpperCase(), values.type),
      );
      return { list: rows.length === 0 ? null : rows, cursor: lastId };
    }),

    signed(classicSpotBills, ({ values, uid }) => {
      const { groupType, businessType, idLessThan } = values;
      const isMeant = (row: ReturnType<typeof spotBill>) =>
        (groupType ?? row.groupType) === row.groupType && isNamed(row.businessType, businessType);
      return page(walletOf(uid, "spot"), uid, values, idLessThan, spotBill, isMeant).rows;
    }),

    signed(classicFuturesBills, ({ values, uid }) => {
      const { productType, businessType, idLessThan } = values;
      const isMeant = (row: ReturnType<typeof futuresBill>) => isNamed(row.businessType.toUpperCase(), businessType);
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

const ofType =
  (type: string | undefined) =>
  ({ marginType }: { readonly marginType: string }): boolean =>
    isNamed(marginType.toUpperCase(), type);

const marginPage = ({ rows, lastId }: { readonly rows: readonly { readonly marginId: string }[]; readonly lastId: string }) => ({
  resultList: rows,
  maxId: rows[0]?.marginId ?? "",
  minId: lastId,
});
