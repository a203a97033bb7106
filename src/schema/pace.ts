import { Field, InputType, Int } from "type-graphql";
import { closedEnum, type WordOf } from "./enums/exchangeEnum.js";

/** Every event, or the newest one alone. */
export const PaceMode = closedEnum("PaceMode", ["ALL", "LATEST"], {
  description: "What becomes of events that come faster than they are wanted, or than the connection takes them",
  meanings: {
    ALL: "Every event, in order. A reader that falls too far behind is disconnected with code 4429",
    LATEST:
      "The newest event; those it replaces are counted in `extensions.missed`. Of an account's state it tells the whole each time",
  },
});
export type PaceMode = WordOf<typeof PaceMode>;

/** The longest pause between two events that can be asked for. */
export const MAX_EVERY_MS = 60_000;

@InputType({ description: "How fast a subscription is served" })
export class PaceInput {
  @Field(() => PaceMode, { description: "Every event, or the newest one" })
  readonly mode!: PaceMode;

  @Field(() => Int, {
    nullable: true,
    description: `With LATEST: at most one event in so many milliseconds, from 0 to ${MAX_EVERY_MS}; as fast as they come if left out`,
  })
  readonly everyMs?: number | null;
}
