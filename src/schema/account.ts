import { text } from "./fields.js";
import { Node } from "./node.js";
import { fieldsOf, RecordType } from "./record.js";

@RecordType(
  "An account at the exchange that this gateway is configured with. A field means the same on Classic and on unified accounts",
  {
    implements: Node,
  },
)
export class Account extends fieldsOf({ name: text("The account's name in this gateway, for example `main`") }) {}
