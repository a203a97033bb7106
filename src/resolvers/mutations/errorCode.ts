import { FAULTS, type FaultCode } from "../../datasources/index.js";
import { closedEnum } from "../../schema/enums/exchangeEnum.js";
import { UserError } from "../../schema/mutations/write.js";
import { field, resolversOf } from "../fieldTable.js";

const CODES = Object.keys(FAULTS) as FaultCode[];

/** The registry of errors as an enum. */
const ErrorCode = closedEnum(
  "ErrorCode",
  CODES,
  "A code of the error registry: the same as in `extensions.code` of an error",
  Object.fromEntries(CODES.map((code) => [code, FAULTS[code].meaning.replace(/\.$/, "")])) as Record<FaultCode, string>,
);

export const UserErrorResolver = resolversOf(UserError, {
  code: field(ErrorCode, {
    description: "What kind of error it is",
    nullable: false,
    resolve: ({ code }: { readonly code: string }) => {
      // The journal may have codes of another version.
      return CODES.find((one) => one === code) ?? "INTERNAL_SERVER_ERROR";
    },
  }),
});
