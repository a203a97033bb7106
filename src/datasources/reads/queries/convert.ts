import { convertCurrencies, convertRecords } from "@exchange-graph/contract/convert";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Reads } from "../reader/reads.js";
import { listOverTime } from "./pagedList.js";

export type { PastConversion } from "@exchange-graph/contract/convert";

/** Coins that can be converted, with their limits. */
export const readConvertCurrencies = (reads: Reads, account: ExchangeAccount) => reads.read(convertCurrencies, {}, account);

/** Completed conversions, newest first. */
export const conversions = listOverTime(convertRecords, ({ id }) => id);
