import { Field, InputType, Int } from "type-graphql";
import { closedEnum, type WordOf } from "./enums/exchangeEnum.js";

/** Every event, or the newest one alone. */
export const PaceMode = closedEnum("PaceMode", ["ALL", "LATEST"], {
  description: "What happens to events that arrive faster than they are wanted, or than the connection takes them",
  meanings: {
    ALL: "Every event, in order. A reader that falls too far behind is disconnected with code 4429",
    LATEST: "The newest event; those it replaces are counted in `missed`. The state of an account is sent whole each time",
  },
});
export type PaceMode = WordOf<typeof PaceMode>;

/** The longest pause between two events that can be asked for. */
export const MAX_EVERY_MS = 60_000;

@InputType({ description: "How fast the events of a subscription are sent" })
export class PaceInput {
  @Field(() => PaceMode, { description: "Every event, or the newest one" })
  readonly mode!: PaceMode;

  @Field(() => Int, {
    nullable: true,
    description: `With LATEST: minimum time between two events, in milliseconds, from 0 to ${MAX_EVERY_MS}. Default: 0`,
  })
  readonly everyMs?: number | null;
}
