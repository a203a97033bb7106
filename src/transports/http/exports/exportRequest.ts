import type { IncomingMessage } from "node:http";
import { DAY_MS, isDay } from "@exchange-graph/contract/clock";
import { badInput } from "../../../datasources/index.js";
import {
  EXPORT_FORMATS,
  EXPORT_KINDS,
  type ExportFormat,
  type ExportQuery,
  INTERVALS,
  isOneOf,
  isWritable,
} from "../../../exports/index.js";
import { searchOf } from "../../arrival/requestParts.js";

export interface ExportRequest extends ExportQuery {
  readonly format: ExportFormat;
  /** Whether it continues a file: the header of the format is left out. */
  readonly isContinued: boolean;
}

const PARAMETERS = ["account", "kind", "format", "from", "to", "interval", "skip"] as const;
const ISO = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/;
/** At most 999,999 rows of one millisecond. */
const MOST_SKIPPED = /^\d{1,6}$/;

/** Whether this is a request for an export. */
export const isForExport = ({ url = "" }: IncomingMessage): boolean => url === "/export" || url.startsWith("/export?");

/** The file of an export, as a browser saves it. */
export const fileOf = ({ account, kind, format }: ExportRequest): string => {
  const name = format === "koinly" ? `${kind}.koinly.csv` : `${kind}.${format}`;
  return `${account.replaceAll(/[^\w.-]/g, "_")}-${name}`;
};

/** Reads the query string. Throws `BAD_USER_INPUT`. */
export function exportIn(request: IncomingMessage): ExportRequest {
  const query = new URLSearchParams(searchOf(request));
  for (const name of query.keys()) {
    if (!isOneOf(PARAMETERS, name))
      throw badInput([{ argument: name, rule: `is not a parameter: the parameters are ${PARAMETERS.join(", ")}` }]);
    if (query.getAll(name).length > 1) throw badInput([{ argument: name, rule: "must be given once" }]);
  }
  const word = <T extends string>(argument: string, allowed: readonly T[], usual?: T): T => {
    const value = query.get(argument) ?? usual;
    if (isOneOf(allowed, value)) return value;
    throw badInput([{ argument, rule: `must be one of ${allowed.join(", ")}` }]);
  };
  /** `ofDay`: the time of a day that is given without one, from its beginning, ms. */
  const time = (argument: string, ofDay = 0): number | undefined => {
    const text = query.get(argument);
    if (text === null) return undefined;
    const at = ISO.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(at)) return text.includes("T") ? at : at + ofDay;
    throw badInput([{ argument, rule: "must be a date such as 2026-11-01, or a time such as 2026-11-01T12:00:00Z" }]);
  };
  const account = query.get("account");
  if (account === null || account === "") throw badInput([{ argument: "account", rule: "must be the name of an account" }]);
  const from = time("from");
  if (from === undefined) throw badInput([{ argument: "from", rule: "must be given" }]);
  const [kind, format] = [word("kind", EXPORT_KINDS), word("format", EXPORT_FORMATS, "csv")];
  if (!isWritable(kind, format))
    throw badInput([{ argument: "format", rule: "must not be koinly: only the kinds fills and flows have that format" }]);
  const skip = query.get("skip");
  if (skip !== null && !MOST_SKIPPED.test(skip)) throw badInput([{ argument: "skip", rule: "must be a whole number" }]);
  return {
    ...{ account, kind, format, from, to: time("to", DAY_MS - 1), interval: word("interval", INTERVALS, "HOUR") },
    ...{ skip: Number.parseInt(skip ?? "0", 10), isContinued: skip !== null },
  };
}
