import type { FieldSet } from "@exchange-graph/contract/codec";
import { unknownFields } from "@exchange-graph/contract/unknownFields";
import { type Finding, UnknownValue, WireError } from "@exchange-graph/contract/wireError";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import { titleOf } from "../../errors/index.js";
import { unreadable } from "./refusal.js";

/** The errors among what decoding found; each names its source, an endpoint or a channel. */
export function errorsIn(source: string, found: readonly Finding[]): readonly WireError[] {
  const errors = found.filter((one) => one instanceof WireError);
  for (const error of errors) error.of(source, titleOf(source), unreadable(source, error).extensions);
  return errors;
}

/** Publishes what decoding found in an answer or a push, and what the contract does not have. Returns the errors. */
export function reported(
  { unread, unknown }: Instrumentation,
  source: string,
  fields: FieldSet | undefined,
  wire: unknown,
  found: readonly Finding[],
): { readonly unread: readonly WireError[] } {
  const errors = errorsIn(source, found);
  for (const error of errors) unread.publish({ source, error });
  if (unknown.hasSubscribers) {
    for (const one of found)
      if (one instanceof UnknownValue) unknown.publish({ source, kind: "value", field: one.field, value: one.raw });
    for (const field of unknownFields(fields, wire)) unknown.publish({ source, kind: "field", field });
  }
  return { unread: errors };
}
