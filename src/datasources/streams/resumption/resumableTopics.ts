import { type Liquidation, liquidation } from "@exchange-graph/contract/channels/liquidation";
import { type Fill, fill } from "@exchange-graph/contract/fill";
import { type PublicTrade, publicTrade } from "@exchange-graph/contract/publicTrade";
import type { ExchangeAccount } from "../../calls/index.js";
import type { RequestReads } from "../../reads/index.js";
import { fillsSince } from "../reconcile.js";
import { fillParts, WHOLE } from "../state/parts.js";
import { hasFields, type ResumableTopic } from "./resumableTopic.js";

/** Trades of a symbol: their stream begins with the latest ones. */
export const TRADES: ResumableTopic<PublicTrade> = {
  identify: ({ execId }) => execId,
  timeOf: ({ time }) => time,
  isItem: (value): value is PublicTrade => hasFields(value, publicTrade.fields),
  continues: "overlap",
};

/** Liquidations have no id, and missed ones cannot be read. */
export const LIQUIDATIONS: ResumableTopic<Liquidation> = {
  identify: ({ symbol, sideRaw, price, qty, time }) => `${symbol} ${sideRaw} ${price} ${qty} ${time}`,
  timeOf: ({ time }) => time,
  isItem: (value): value is Liquidation => hasFields(value, liquidation.fields),
  continues: "nothing",
};

/** Executions of an account, which can also be read from its history. */
export const fillsOf = (account: ExchangeAccount, newReads: () => RequestReads): ResumableTopic<Fill> => ({
  identify: ({ execId }) => execId,
  timeOf: ({ createdTime }) => createdTime,
  isItem: (value): value is Fill => hasFields(value, fill.fields),
  continues: "reading",
  async past(since, latest) {
    const reads = newReads();
    const parts = (await reads.modeOf(account)) === "UNIFIED" ? [WHOLE] : fillParts("CLASSIC");
    const { rows, isWhole } = await fillsSince(reads, account, { since, latest }, parts);
    return isWhole ? rows : undefined;
  },
});
