import { Field } from "type-graphql";
import { Node } from "./node.js";
import { RecordType } from "./record.js";

@RecordType(
  "An account at the exchange that this gateway is configured with. A field means the same on Classic and on unified accounts",
  {
    implements: Node,
  },
)
export class Account {
  @Field(() => String, { description: "The account's name in this gateway, for example `main`" })
  readonly name!: string;
}
