import { FieldResolver, Resolver, Root } from "type-graphql";
import { FAULTS, type FaultCode } from "../../datasources/index.js";
import { closedEnum } from "../../schema/enums/exchangeEnum.js";
import { UserError } from "../../schema/mutations/write.js";
import { InheritsScope } from "../../schema/requiresScope.js";

const CODES = Object.keys(FAULTS) as FaultCode[];

/** The registry of errors as an enum. */
const ErrorCode = closedEnum(
  "ErrorCode",
  CODES,
  "A code of the error registry: the same as in `extensions.code` of an error",
  Object.fromEntries(CODES.map((code) => [code, FAULTS[code].meaning.replace(/\.$/, "")])) as Record<FaultCode, string>,
);

@Resolver(() => UserError)
export class UserErrorResolver {
  @InheritsScope()
  @FieldResolver(() => ErrorCode, { description: "What kind of error it is" })
  code(@Root() { code }: { readonly code: string }): FaultCode {
    // The journal may have codes of another version.
    return CODES.find((one) => one === code) ?? "INTERNAL_SERVER_ERROR";
  }
}
