import { useMemo, useState } from "react";
import { amount, words } from "../format/format.js";
import { dateTime } from "../format/time.js";
import { usePages } from "../graph/usePages.js";
import { useAccount } from "../live/accounts.js";
import { BrokerOf, BrokerWithdrawals, type SubAccount, type Withdrawal } from "../panels/broker/broker.js";
import { SubAccountPanel } from "../panels/broker/subAccountPanel.js";
import { useSettings } from "../state/settings.js";
import { t } from "../text/text.js";
import { Board } from "../ui/board.js";
import buttons from "../ui/button.module.css";
import clip from "../ui/clip.module.css";
import type { Column } from "../ui/csv.js";
import message from "../ui/message.module.css";
import { Panel } from "../ui/panel.js";
import { Table } from "../ui/table.js";
import { Tag } from "../ui/tag.js";

/** The exchange's code for a broker's endpoint and an account that is none. */
const NOT_A_BROKER = "40029";

const NoBroker = ({ account }: { readonly account: string }) => (
  <section className={message.message}>
    <h1>
      {account} {t("is not a broker")}
    </h1>
    <p>{t("Only a broker's account has sub-accounts here. Choose another account above.")}</p>
  </section>
);

/** Sub-accounts of a broker with their balances and withdrawals. */
export function Broker() {
  const account = useAccount();
  const feed = usePages(
    BrokerOf,
    { account },
    { list: (data) => data.account?.broker.subAccounts, keyOf: ({ id }) => id },
    { everyMs: 60_000 },
  );
  const withdrawals = usePages(
    BrokerWithdrawals,
    { account },
    { list: (data) => data.account?.broker.withdrawals, keyOf: ({ orderId }) => orderId },
    { everyMs: 10_000 },
  );
  const { zone } = useSettings();
  const [chosen, choose] = useState<{ readonly account: string; readonly subUid: string }>();
  const broker = feed.data?.account?.broker;
  const { rows } = feed;
  const subUid = chosen?.account === account ? chosen.subUid : rows?.[0]?.subUid;
  const columns = useMemo(
    (): readonly Column<SubAccount>[] => [
      {
        id: "subUid",
        title: t("Sub-account"),
        value: (row) => row.subUid,
        cell: (row) => (
          <button
            type="button"
            className={buttons.link}
            aria-pressed={row.subUid === subUid}
            onClick={() => choose({ account, subUid: row.subUid })}
          >
            {row.subUid}
          </button>
        ),
        isHead: true,
      },
      { id: "label", title: t("Label"), value: ({ profile }) => profile?.label },
      { id: "name", title: t("Name"), value: ({ profile }) => profile?.name },
      {
        id: "status",
        title: t("Status"),
        value: ({ profile }) => profile?.status,
        cell: ({ profile }) => <Tag tone={profile?.status === "NORMAL" ? "up" : "warn"}>{words(profile?.status)}</Tag>,
      },
      {
        id: "created",
        title: t("Created"),
        value: ({ profile }) => profile?.createdTime,
        cell: ({ profile }) => <span className="muted">{dateTime(profile?.createdTime, zone)}</span>,
      },
    ],
    [account, zone, subUid],
  );
  if (feed.faults.some(({ exchange }) => exchange?.code === NOT_A_BROKER)) return <NoBroker account={account} />;
  const subAccounts = (
    <Panel
      title={t("Sub-accounts")}
      feeds={[feed]}
      has={rows !== undefined}
      empty={rows?.length === 0 && t("No sub-accounts")}
      actions={
        broker?.info && (
          <span className="muted">
            {broker.info.subAccountCount} {t("of")} {broker.info.maxSubAccountCount}
          </span>
        )
      }
    >
      <Table name={t("Sub-accounts")} columns={columns} rows={rows} keyOf={({ id }) => id} more={feed.more} />
    </Panel>
  );
  const withdrawn = (
    <Panel
      title={t("Withdrawals")}
      feeds={[withdrawals]}
      has={withdrawals.rows !== undefined}
      empty={withdrawals.rows?.length === 0 && t("No withdrawals")}
    >
      <Table
        name={t("Withdrawals")}
        columns={withdrawalColumns(zone)}
        rows={withdrawals.rows}
        keyOf={({ orderId }) => orderId}
        more={withdrawals.more}
      />
    </Panel>
  );
  return (
    <>
      <h1 className="hidden">{t("Broker")}</h1>
      <Board
        tiles={[
          { id: "Sub-accounts", w: 12, panel: subAccounts },
          ...(subUid === undefined
            ? []
            : [
                {
                  id: "Sub-account",
                  w: 12,
                  panel: <SubAccountPanel key={`${account} ${subUid}`} account={account} subUid={subUid} />,
                },
              ]),
          { id: "Withdrawals", w: 24, panel: withdrawn },
        ]}
      />
    </>
  );
}

const STATUS_TONES = new Map<string | null, "up" | "down" | "warn">([
  ["SUCCESS", "up"],
  ["FAIL", "down"],
  ["PENDING", "warn"],
]);

const withdrawalColumns = (zone: "local" | "UTC"): readonly Column<Withdrawal>[] => [
  { id: "subUid", title: t("From"), value: (row) => row.subUid, isHead: true },
  {
    id: "amount",
    title: t("Amount"),
    value: (row) => row.amount,
    cell: (row) => `${amount(row.amount)} ${row.coin ?? ""}`,
    isNumber: true,
  },
  { id: "fee", title: t("Fee"), value: (row) => row.fee, cell: (row) => amount(row.fee), isNumber: true },
  { id: "dest", title: t("To"), value: (row) => row.dest, cell: (row) => `${words(row.dest)} ${row.chain ?? ""}` },
  {
    id: "address",
    title: t("Address"),
    value: (row) => row.toAddress,
    cell: (row) => (
      <code className={clip.clip} title={row.toAddress ?? ""}>
        {row.toAddress}
      </code>
    ),
  },
  {
    id: "status",
    title: t("Status"),
    value: (row) => row.status,
    cell: ({ status }) => <Tag tone={STATUS_TONES.get(status)}>{words(status)}</Tag>,
  },
  {
    id: "created",
    title: t("Time"),
    value: (row) => row.createdTime,
    cell: (row) => <span className="muted">{dateTime(row.createdTime, zone)}</span>,
  },
];
