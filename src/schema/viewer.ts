import { Field } from "type-graphql";
import { Cost } from "./cost.js";
import { ExchangeKind } from "./enums/exchange.js";
import { RecordType } from "./record.js";
import { DateTime } from "./scalars.js";
import { SCOPE_NAMES, SCOPES } from "./scopes.js";

const MEANINGS = Object.entries(SCOPES)
  .map(([scope, meaning]) => `\`${scope}\`: ${meaning}`)
  .join("; ");

@RecordType("A scope that the client has")
class GrantedScope {
  @Field(() => String, { description: `Its name. ${MEANINGS}` })
  readonly scope!: string;

  @Field(() => [String], {
    nullable: true,
    description: "Names of the accounts for which it is granted; null for `read:market`, which is about no account",
  })
  readonly accounts!: readonly string[] | null;
}

@RecordType("The exchange behind the gateway")
class ExchangeEnvironment {
  @Field(() => String, { description: "Its host, or what it is called" })
  readonly name!: string;

  @Field(() => ExchangeKind, { description: "Whether there is real money behind the gateway" })
  readonly kind!: ExchangeKind;
}

@RecordType("The client of this request and its scopes")
export class Viewer {
  @Field(() => String, { nullable: true, description: "Name of the client; null for an anonymous one" })
  readonly name!: string | null;

  @Field(() => Boolean, {
    description: "True if no clients are configured: then everyone may do everything",
  })
  readonly isAnonymous!: boolean;

  @Cost({ rows: SCOPE_NAMES.length })
  @Field(() => [GrantedScope], { description: "Scopes of the client" })
  readonly scopes!: readonly GrantedScope[];

  @Field(() => DateTime, { nullable: true, description: "When the client's token expires; null if it does not expire" })
  readonly expiresTime!: number | null;

  @Field(() => ExchangeEnvironment, { description: "The exchange behind the gateway; needs no scope" })
  readonly environment!: ExchangeEnvironment;
}
