import { plain } from "@exchange-graph/contract/decimal";
import type { ParametersOf } from "@exchange-graph/contract/endpoint";
import { isNamed } from "@exchange-graph/contract/letterCase";
import { classicSubTransfers, classicTransfers, subTransfers, type TransferWallet } from "@exchange-graph/contract/transfer";
import type { WalletKind } from "../world/ledger.js";
import type { Transfer, Transfers } from "../world/transfers.js";
import { filledIn, type Handler, signed } from "./handler.js";
import { createdWithin, numberedPage, pageBelow } from "./paging.js";

/** The exchange's words for the wallets of transfers. */
export const TRANSFER_WORDS: ReadonlyMap<WalletKind, TransferWallet> = new Map<WalletKind, TransferWallet>([
  ["spot", "spot"],
  ["funding", "p2p"],
  ["coin-futures", "coin_futures"],
  ["usdt-futures", "usdt_futures"],
  ["usdc-futures", "usdc_futures"],
  ["crossed-margin", "crossed_margin"],
  ["isolated-margin", "isolated_margin"],
  ["unified", "uta"],
]);
const wordOf = (kind: WalletKind): string => TRANSFER_WORDS.get(kind) ?? kind;

const isWithin = ({ from, to }: Transfer): boolean => from.uid === to.uid;

/** Transfers between the wallets of a user, and between a master and its sub-accounts. */
export function transferHandlers(transfers: Transfers): readonly Handler[] {
  const subPage = (uid: string, values: Omit<ParametersOf<typeof subTransfers>, "cursor">, before?: string) => {
    const { coin, role, subUid, clientOid, limit } = values;
    const user = subUid ?? uid;
    const found = createdWithin(transfers.of(uid), values).filter(
      (row) =>
        !isWithin(row) &&
        (role === "receiver" ? row.to : row.from).uid === user &&
        isNamed(row.coin, coin) &&
        (clientOid ?? row.clientOid) === row.clientOid,
    );
    return pageBelow(found, ({ transferId }) => transferId, before, limit);
  };

  return [
    signed(classicTransfers, ({ values, uid }) => {
      const { coin, fromType, clientOid, pageNum, limit } = values;
      const found = createdWithin(transfers.of(uid), values).filter(
        (row) =>
          isWithin(row) &&
          isNamed(row.coin, coin) &&
          (fromType ?? wordOf(row.from.kind)) === wordOf(row.from.kind) &&
          (clientOid ?? row.clientOid) === row.clientOid,
      );
      return numberedPage(found, { pageNo: pageNum, pageSize: filledIn(limit) }).map(ownTransfer);
    }),

    signed(classicSubTransfers, ({ values, uid }) => subPage(uid, values, values.idLessThan).rows.map(classicSubTransfer)),

    signed(subTransfers, ({ values, uid }) => {
      const { rows, lastId } = subPage(uid, values, values.cursor);
      return { list: rows.map(subTransfer), cursor: lastId ?? "" };
    }),
  ];
}

const classicFields = ({ transferId, clientOid, coin, amount, from, to, createdTime }: Transfer) => ({
  coin,
  status: "Successful",
  fromType: wordOf(from.kind),
  toType: wordOf(to.kind),
  size: plain(amount),
  ts: String(createdTime),
  clientOid,
  transferId,
});

const ownTransfer = (transfer: Transfer): unknown => ({
  ...classicFields(transfer),
  fromSymbol: transfer.from.symbol ?? "",
  toSymbol: transfer.to.symbol ?? "",
});

const classicSubTransfer = (transfer: Transfer): unknown => ({
  ...classicFields(transfer),
  newTransferId: transfer.transferId,
  fromUserId: transfer.from.uid,
  toUserId: transfer.to.uid,
});

const subTransfer = ({ transferId, clientOid, coin, amount, from, to, createdTime }: Transfer): unknown => ({
  transferId,
  fromType: wordOf(from.kind),
  toType: wordOf(to.kind),
  amount: plain(amount),
  coin,
  fromUserId: from.uid,
  toUserId: to.uid,
  status: "Successful",
  clientOid,
  createdTime: String(createdTime),
  updatedTime: String(createdTime),
  oldTransferId: transferId,
});
