import {
  brokerInfo,
  modifySubAccountEmail,
  subAccountEmail,
  subAccountList,
  subAccountSpotAssets,
  subAccountWithdrawal,
  subAccountWithdrawals,
} from "@exchange-graph/contract/broker";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { type BrokerService, MAX_SUB_ACCOUNTS, type SubAccount } from "../world/broker/brokerService.js";
import { statusAt, type Withdrawal } from "../world/wallet/withdrawals.js";
import { type Handler, signed } from "./handler.js";
import { createdWithin, pageBelow, resultList } from "./paging.js";
import { withdrawalFields } from "./wallet.js";
import { spotBalances } from "./wire/asset.js";

/** Handlers of an ND broker's calls. `coins` are all coins that the exchange lists. */
export function brokerHandlers(service: BrokerService, coins: readonly string[]): readonly Handler[] {
  const { ledger, now } = service.office;

  return [
    signed(brokerInfo, ({ uid }) => ({
      subAccountSize: String(service.subAccounts.of(uid).length),
      maxSubAccountSize: String(MAX_SUB_ACCOUNTS),
      uTime: String(now()),
    })),

    signed(subAccountSpotAssets, ({ values, uid }) => {
      const sub = service.subAccount(uid, values.subUid);
      return { assetsList: spotBalances(ledger, sub.uid, coins, values) };
    }),

    signed(subAccountList, ({ values, uid }) => {
      const all = createdWithin(service.subAccounts.of(uid), values);
      const found = all.filter(({ status }) => (values.status ?? status) === status);
      const { rows, lastId } = pageBelow(found, (subAccount) => subAccount.uid, values.idLessThan, values.limit);
      return {
        hasNextPage: lastId !== undefined && found.at(-1)?.uid !== lastId,
        idLessThan: lastId === undefined ? 0 : Number.parseInt(lastId, 10),
        subList: rows.map(listed),
      };
    }),

    signed(subAccountEmail, ({ values, uid }) => {
      const { name, email, createdTime, updatedTime, uid: subUid } = service.subAccount(uid, values.subUid);
      return {
        subUid,
        subaccountName: name,
        subaccountEmail: email,
        cTime: String(createdTime),
        uTime: String(updatedTime),
      };
    }),

    // Two shapes of this answer are in use. The sub-account determines the shape, so that a client meets both.
    signed(modifySubAccountEmail, ({ values, uid }) => {
      const changed = service.changeEmail(uid, values.subUid, values.subaccountEmail);
      return Number.parseInt(changed.uid.slice(-1), 10) % 2 === 0 ? "success" : contact(changed);
    }),

    signed(subAccountWithdrawal, ({ values, uid }) => {
      const { orderId, clientOid } = service.withdraw(uid, {
        ...values,
        uid: values.subUid,
        coin: inCapitals(values.coin),
        amount: exact(values.amount),
      });
      return { orderId, clientOid: clientOid ?? "" };
    }),

    signed(subAccountWithdrawals, ({ values, uid }) => {
      const all = createdWithin(service.withdrawals.of(uid), values);
      const found = all.filter(
        (row) => (values.orderId ?? row.orderId) === row.orderId && (values.userId ?? row.uid) === row.uid,
      );
      return resultList(found, "orderId", values, (row) => withdrawn(row, statusAt(row, now())));
    }),
  ];
}

const listed = ({ uid, name, status, permissions, label, language, createdTime, updatedTime }: SubAccount): unknown => ({
  subUid: uid,
  subaccountName: name,
  status,
  permList: permissions,
  label,
  language,
  cTime: String(createdTime),
  uTime: String(updatedTime),
});

const contact = ({ uid, name, email, createdTime, updatedTime }: SubAccount): unknown => ({
  subUid: uid,
  subaccountName: name,
  subaccountEmail: email,
  ctime: String(createdTime),
  utime: String(updatedTime),
});

const withdrawn = (withdrawal: Withdrawal, status: string): unknown => ({
  ...withdrawalFields(withdrawal, status),
  txId: withdrawal.txId,
  amount: plain(withdrawal.amount),
  userId: withdrawal.uid,
});
