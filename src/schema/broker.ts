import {
  brokerFuturesAsset,
  brokerRecord,
  subAccount,
  subAccountContact,
  subAccountSpotAsset,
} from "@exchange-graph/contract/broker";
import { withdrawal } from "@exchange-graph/contract/wallet";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { FuturesProductType } from "./enums/category.js";
import { integer, of, text, texts } from "./fields.js";
import { Node } from "./node.js";
import { extended, fieldsOf, RecordType, recordOf } from "./record.js";

@RecordType("Number of sub-accounts of an ND broker, and the maximum")
export class BrokerInfo extends recordOf(brokerRecord) {}

@RecordType("One coin in the spot account of a sub-account")
export class SubAccountSpotAsset extends recordOf(subAccountSpotAsset) {}

@RecordType("The futures account of a broker's sub-account in one margin coin")
export class BrokerFuturesAsset extends extended(recordOf(brokerFuturesAsset), {
  productType: of(FuturesProductType)("Futures category, by the coin of the margin"),
}) {}

@RecordType("Profile of a broker's sub-account")
export class SubAccountProfile extends extended(recordOf(subAccount, { without: ["subUid", "permissions"] }), {
  permissions: texts.orNull("Permissions of the sub-account, in the exchange's words, for example `spot_trade` (`permList`)"),
}) {}

@RecordType("Contact data of a broker's sub-account")
export class SubAccountContact extends recordOf(subAccountContact, { without: ["subUid"] }) {}

@RecordType("A sub-account of an ND broker", { implements: Node })
export class SubAccount extends fieldsOf({
  account: of(Account)("The broker's account"),
  subUid: text("User identifier of the sub-account"),
}) {}

export const SubAccountConnection = connectionOf(SubAccount);
export type SubAccountConnection = ConnectionOf<SubAccount>;

@RecordType("An ND broker's sub-accounts. On other accounts its fields are FORBIDDEN")
export class Broker {}

@RecordType("A withdrawal from a broker's sub-account", { implements: Node })
export class SubAccountWithdrawal extends extended(recordOf(withdrawal, { without: ["clientOid", "confirm", "userId"] }), {
  account: of(Account)("The broker's account"),
  subUid: text.orNull("User identifier of the sub-account (the exchange's `userId`)"),
  confirmations: integer.orNull("Confirmations on the chain so far (the exchange's `confirm`)"),
}) {}

export const SubAccountWithdrawalConnection = connectionOf(SubAccountWithdrawal);
export type SubAccountWithdrawalConnection = ConnectionOf<SubAccountWithdrawal>;
