import type { Refused } from "../refused.js";

/** The outcome for one of many orders or positions. */
export interface Result {
  readonly orderId: string | null;
  readonly clientOid: string | null;
  readonly refused?: Refused;
}

/** The results in the form of a unified account. */
export const unifiedResults = (results: readonly Result[]): readonly unknown[] =>
  results.map(({ orderId, clientOid, refused }) => ({
    ...{ orderId, clientOid },
    ...(refused === undefined ? {} : { code: refused.refusal.code, msg: refused.message }),
  }));

/** The results in the form of a Classic account. */
export const classicResults = (results: readonly Result[]): unknown => ({
  successList: results.filter(({ refused }) => refused === undefined).map(({ orderId, clientOid }) => ({ orderId, clientOid })),
  failureList: results.flatMap(({ orderId, clientOid, refused }) =>
    refused === undefined ? [] : [{ orderId, clientOid, errorMsg: refused.message, errorCode: refused.refusal.code }],
  ),
});
