import { Field } from "type-graphql";
import { Node } from "./node.js";
import { RecordType } from "./record.js";

@RecordType(
  "One account at the exchange, as this gateway is configured with it. The same fields mean the same on both generations",
  {
    implements: Node,
  },
)
export class Account {
  @Field(() => String, { description: "The account's name in this gateway, for example `main`" })
  readonly name!: string;
}
