import { ExchangeKind } from "./enums/exchange.js";
import { flag, listOf, of, text, texts, time } from "./fields.js";
import { fieldsOf, RecordType } from "./record.js";
import { SCOPE_NAMES, SCOPES } from "./scopes.js";

const MEANINGS = Object.entries(SCOPES)
  .map(([scope, meaning]) => `\`${scope}\`: ${meaning}`)
  .join("; ");

@RecordType("A scope that the client has")
class GrantedScope extends fieldsOf({
  scope: text(`Its name. ${MEANINGS}`),
  accounts: texts.orNull("Names of the accounts for which it is granted; null for `read:market`, which is about no account"),
}) {}

@RecordType("The exchange behind the gateway")
class ExchangeEnvironment extends fieldsOf({
  name: text("Host of the exchange, or the sandbox's name"),
  kind: of(ExchangeKind)("Kind of the exchange, and whether its money is real"),
}) {}

@RecordType("The client of this request and its scopes")
export class Viewer extends fieldsOf({
  name: text.orNull("Name of the client; null for an anonymous one"),
  isAnonymous: flag("True if no clients are configured: every request has all scopes"),
  scopes: listOf(GrantedScope, SCOPE_NAMES.length)("Scopes of the client"),
  expireTime: time.orNull("When the client's token expires; null if it does not expire"),
  environment: of(ExchangeEnvironment)("The exchange behind the gateway; needs no scope"),
}) {}
