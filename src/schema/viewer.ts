import { Field } from "type-graphql";
import { RecordType } from "./record.js";
import { DateTime } from "./scalars.js";
import { SCOPES } from "./scopes.js";

const MEANINGS = Object.entries(SCOPES)
  .map(([scope, meaning]) => `\`${scope}\`: ${meaning}`)
  .join("; ");

@RecordType("One kind of thing that the caller may do")
class GrantedScope {
  @Field(() => String, { description: `Its name. ${MEANINGS}` })
  readonly scope!: string;

  @Field(() => [String], {
    nullable: true,
    description: "Names of the accounts for which it is granted; null for `read:market`, which is about no account",
  })
  readonly accounts!: readonly string[] | null;
}

@RecordType("Who is asking, and what it may do")
export class Viewer {
  @Field(() => String, { nullable: true, description: "The caller's name; null for an anonymous caller" })
  readonly name!: string | null;

  @Field(() => Boolean, {
    description: "Is the caller unknown to this gateway? Then no callers are configured, and it may do everything",
  })
  readonly isAnonymous!: boolean;

  @Field(() => [GrantedScope], { description: "What the caller may do" })
  readonly scopes!: readonly GrantedScope[];

  @Field(() => DateTime, { nullable: true, description: "When the caller's token ends; null where it does not end by itself" })
  readonly expiresTime!: number | null;
}
