import { convertCurrency, pastConversion, quotation } from "@exchange-graph/contract/convert";
import { Field } from "type-graphql";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { RecordType, recordOf } from "./record.js";
import { DateTime } from "./scalars.js";

@RecordType("A price for converting one coin into another. It is valid for 8 seconds and for one conversion")
export class ConvertQuote extends recordOf(quotation) {
  @Field(() => DateTime, {
    description:
      "When the quotation ends, by the exchange's clock: 8 seconds after it arrived. The exchange does not send this time, and counts from the moment of its quotation: the last instants may be refused",
  })
  readonly expireTime!: number;
}

@RecordType("A coin that can be converted, and how much of it")
export class ConvertCurrency extends recordOf(convertCurrency) {}

@RecordType("A conversion that took place")
class ConvertRecord extends recordOf(pastConversion, { without: ["id"] }) {
  @Field(() => String, { description: "The exchange's identifier of the record (its `id`)" })
  readonly recordId!: string;
}

export const ConvertRecordConnection = connectionOf(ConvertRecord);
export type ConvertRecordConnection = ConnectionOf<ConvertRecord>;
