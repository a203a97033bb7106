import { ArgsType, Field, Int } from "type-graphql";
import { DEFAULT_FIRST, MAX_FIRST } from "../datasources/paging/pager.js";
import { DateTime } from "../schema/scalars.js";

/** What every list in pages can be asked by. */
@ArgsType()
export class PageArguments {
  @Field(() => Int, {
    nullable: true,
    defaultValue: DEFAULT_FIRST,
    description: `How many rows, from 1 to ${MAX_FIRST}; the gateway reads as many of the exchange's pages as that takes. Default: ${DEFAULT_FIRST}`,
  })
  readonly first?: number | null;

  @Field(() => String, { nullable: true, description: "Only rows after this cursor, which has to be one of the same list" })
  readonly after?: string | null;
}

/** What lists of what there is now can be asked by, where the exchange knows when it came about. */
@ArgsType()
export class CreatedArguments extends PageArguments {
  @Field(() => DateTime, { nullable: true, description: "Only rows created from this time on. Default: all" })
  readonly from?: number | null;

  @Field(() => DateTime, { nullable: true, description: "Only rows created up to this time. Default: now" })
  readonly to?: number | null;
}

/** What every list over time can be asked by. */
@ArgsType()
export class HistoryArguments extends PageArguments {
  @Field(() => DateTime, {
    nullable: true,
    description: "Only rows from this time on. Default: as far back as the exchange goes",
  })
  readonly from?: number | null;

  @Field(() => DateTime, { nullable: true, description: "Only rows up to this time. Default: now" })
  readonly to?: number | null;
}
