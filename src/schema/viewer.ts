import { Field } from "type-graphql";
import { RecordType } from "./record.js";

@RecordType("Who is asking")
export class Viewer {
  @Field(() => String, { nullable: true, description: "The caller's name; null for an anonymous caller" })
  readonly name!: string | null;

  @Field(() => Boolean, { description: "Is the caller unknown to this gateway?" })
  readonly isAnonymous!: boolean;
}
