import { sharkFinAssets, sharkFinRecords } from "../../contract/sharkfin.js";
import { before } from "../../contract/window.js";
import { plain } from "../../decimal.js";
import { interestOf, type SharkFinHolding, type SharkFinRecord, stagesOf, statusAt } from "../world/earn/sharkFin.js";
import type { SharkFinDesk } from "../world/earn/sharkFinDesk.js";
import { type Handler, signed } from "./handler.js";
import { pageBelow, within } from "./paging.js";

const SPAN = { months: 3 } as const;

/** Shark-fin products and what was paid into and out of them. */
export function sharkFinHandlers(desk: SharkFinDesk): readonly Handler[] {
  const { now } = desk.office;
  /** The range of a call: three months up to its end, which is now unless it says otherwise. */
  const range = ({
    startTime,
    endTime = now(),
  }: {
    readonly startTime?: number | undefined;
    readonly endTime?: number | undefined;
  }) => [startTime ?? before(endTime, SPAN), endTime] as const;

  return [
    signed(sharkFinAssets, ({ values, uid }) => {
      const found = within(desk.holdings(uid), ({ createdTime }) => createdTime, ...range(values)).filter(
        (holding) => isSettled(holding, now()) === (values.status === "settled"),
      );
      const { rows, lastId } = pageBelow(found, ({ productId }) => productId, values.idLessThan, values.limit);
      return { resultList: rows.map((holding) => product(holding, now())), endId: lastId ?? "" };
    }),

    signed(sharkFinRecords, ({ values, uid }) => {
      const found = within(desk.records(uid), ({ createdTime }) => createdTime, ...range(values)).filter(
        ({ type, coin }) => type === values.type && (values.coin?.toUpperCase() ?? coin) === coin,
      );
      const { rows, lastId } = pageBelow(found, ({ orderId }) => orderId, values.idLessThan, values.limit);
      return { resultList: rows.map(record), endId: lastId ?? "" };
    }),
  ];
}

const isSettled = (holding: SharkFinHolding, now: number): boolean => {
  const status = statusAt(holding, now);
  return status === "settle" || status === "redeem";
};

/** The interest is empty text until it is settled. */
function product(holding: SharkFinHolding, now: number): unknown {
  const { interestStart, interestEnd, settle } = stagesOf(holding);
  return {
    productId: holding.productId,
    interestStartTime: String(interestStart),
    interestEndTime: String(interestEnd),
    productCoin: holding.productCoin,
    subscribeCoin: holding.subscribeCoin,
    trend: holding.trend,
    settleTime: String(settle),
    interestAmount: isSettled(holding, now) ? plain(interestOf(holding)) : "",
    productStatus: statusAt(holding, now),
  };
}

const record = ({ orderId, product, days, amount, createdTime, type }: SharkFinRecord): unknown => ({
  orderId,
  product,
  period: String(days),
  amount: plain(amount),
  ts: String(createdTime),
  type,
});
