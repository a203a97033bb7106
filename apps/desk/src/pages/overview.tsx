import { compareDecimals, divideDecimals, multiplyDecimals } from "@exchange-graph/client";
import { amount, highestFirst, percent, signed, tone, words } from "../format/format.js";
import { type Total, totalOf, whole } from "../format/total.js";
import { graphql, type ResultOf } from "../graph/document.js";
import { useRead } from "../graph/useRead.js";
import { choose, useAccounts } from "../live/accounts.js";
import { isOpen, profitOf } from "../live/positions.js";
import { EquityPanel } from "../panels/overview/equityPanel.js";
import { t } from "../text/text.js";
import { Board } from "../ui/board.js";
import buttons from "../ui/button.module.css";
import type { Column } from "../ui/csv.js";
import styles from "../ui/gauges.module.css";
import { Panel } from "../ui/panel.js";
import { Table } from "../ui/table.js";
import { Together } from "../ui/together.js";

const AllAccounts = graphql(`
  query AllAccounts {
    accounts {
      id
      name
      mode
      totalEquity
      positions {
        category
        symbol
        qty
        unrealisedPnl
        markPrice
        notional
      }
      openOrders(first: 100) {
        pageInfo {
          hasNextPage
        }
        nodes {
          id
        }
      }
    }
  }
`);

const Balances = graphql(`
  query Balances($account: String) {
    account(name: $account) {
      balances {
        id
        coin
        balance
        available
        frozen
        locked
        debt
        valueUsdt
      }
    }
  }
`);

type Row = ResultOf<typeof AllAccounts>["accounts"][number];
type Balance = NonNullable<NonNullable<NonNullable<ResultOf<typeof Balances>["account"]>["balances"]>[number]>;

const EVERY_MS = 4_000;

/** All accounts together, and the balances of the selected one. */
export function Overview() {
  const { current } = useAccounts();
  const account = current?.name ?? "";
  // The futures accounts of a Classic account hold coins of their own.
  const isSpotAlone = current?.mode === "CLASSIC";
  const feed = useRead(AllAccounts, {}, { everyMs: EVERY_MS });
  const balances = useRead(Balances, { account }, { everyMs: EVERY_MS });
  const rows = feed.data?.accounts;
  const all = balances.data?.account?.balances;
  const kept = all
    ?.filter((row) => row !== null)
    .filter(({ balance }) => balance === null || compareDecimals(balance, "0") !== 0)
    .sort((a, b) => highestFirst(a.valueUsdt, b.valueUsdt));
  return (
    <>
      <h1 className="hidden">{t("Overview")}</h1>
      <Board
        tiles={[
          { id: "All accounts", w: 24, panel: <AccountsPanel feed={feed} rows={rows} /> },
          { id: "Equity", w: 17, panel: <EquityPanel account={account} /> },
          {
            id: "Allocation",
            w: 7,
            panel: (
              <AllocationPanel
                title={isSpotAlone ? t("Allocation of spot") : t("Allocation")}
                feed={balances}
                rows={kept}
                total={valueOf(all?.filter(isWorthSomething))}
              />
            ),
          },
          {
            id: "Balances",
            w: 24,
            panel: <BalancesPanel title={balancesTitle(account, isSpotAlone)} feed={balances} rows={kept} total={valueOf(all)} />,
          },
        ]}
      />
    </>
  );
}

function balancesTitle(account: string, isSpotAlone: boolean): string {
  if (account === "") return t("Balances");
  return isSpotAlone ? t("Spot balances of {account}", { account }) : t("Balances of {account}", { account });
}

const valueOf = (rows: readonly (Balance | null)[] | null | undefined): Total =>
  totalOf(rows?.map((row) => ({ name: row?.coin ?? t("a row"), value: row?.valueUsdt ?? null })));

/** What cannot be read may be worth something. */
const isWorthSomething = (row: Balance | null): boolean =>
  row === null || row.valueUsdt === null || compareDecimals(row.valueUsdt, "0") > 0;

interface PanelProps<Result> {
  readonly feed: ReturnType<typeof useRead<Result, object>>;
}

function AccountsPanel({ feed, rows }: PanelProps<ResultOf<typeof AllAccounts>> & { readonly rows: readonly Row[] | undefined }) {
  const total = totalOf(rows?.map(({ name, totalEquity }) => ({ name, value: totalEquity })));
  const columns: readonly Column<Row>[] = [
    {
      id: "name",
      title: t("Account"),
      value: (row) => row.name,
      cell: ({ name }) => (
        <button type="button" className={buttons.link} onClick={() => choose(name)}>
          {name}
        </button>
      ),
      isHead: true,
    },
    { id: "mode", title: t("Mode"), value: (row) => row.mode, cell: (row) => words(row.mode) },
    {
      id: "equity",
      title: t("Equity, USDT"),
      value: (row) => row.totalEquity,
      cell: (row) => amount(row.totalEquity, 2),
      isNumber: true,
    },
    {
      id: "share",
      title: t("Share"),
      value: (row) => shareOf(row.totalEquity, whole(total)),
      cell: (row) => percent(shareOf(row.totalEquity, whole(total)), 1),
      isNumber: true,
    },
    {
      id: "profit",
      title: t("Unrealised, USDT"),
      value: (row) => profitOf(row.positions),
      cell: (row) => <span className={tone(profitOf(row.positions))}>{signed(profitOf(row.positions), 2)}</span>,
      isNumber: true,
    },
    {
      id: "exposure",
      title: t("Position value"),
      value: exposureOf,
      cell: (row) => amount(exposureOf(row), 2),
      isNumber: true,
    },
    { id: "positions", title: t("Positions"), value: positionsOf, isNumber: true },
    { id: "orders", title: t("Open orders"), value: ordersOf, isNumber: true },
  ];
  return (
    <Panel
      title={t("All accounts")}
      feeds={[feed]}
      has={rows !== undefined}
      empty={rows?.length === 0 && t("No accounts")}
      actions={<Together label={t("Together")} total={total} />}
    >
      <Table name={t("All accounts")} columns={columns} rows={rows} keyOf={({ name }) => name} />
    </Panel>
  );
}

/** Value of the open positions; null if that of one of them, or the list, is missing. */
const exposureOf = ({ positions }: Row): string | null =>
  whole(totalOf(positions?.map((position) => ({ name: position?.symbol ?? "", value: position?.notional ?? null }))));

/** Null if the list, or a part of it, is missing. */
const countOf = (rows: readonly unknown[] | null | undefined): string | null =>
  rows?.every(Boolean) ? String(rows.length) : null;

/** The exchange also lists some that were closed. */
const positionsOf = ({ positions }: Row): string | null =>
  countOf(positions?.filter((position) => position === null || isOpen(position)));

/** Number of open orders, `100+` if there are more; null if the list, or a part of it, is missing. */
function ordersOf({ openOrders }: Row): string | null {
  const count = countOf(openOrders?.nodes ?? null);
  return count && `${count}${openOrders?.pageInfo.hasNextPage ? "+" : ""}`;
}

/** Null if the part or a part of the whole is missing. */
const shareOf = (part: string | null, all: string | null): string | null =>
  part === null || all === null || compareDecimals(all, "0") <= 0 ? null : divideDecimals(part, all, 6);

interface Held {
  readonly title: string;
  readonly rows: readonly Balance[] | undefined;
  readonly total: Total;
}

const SHOWN = 7;

/** Allocation of the balances by coin. */
function AllocationPanel({ title, feed, rows, total }: PanelProps<ResultOf<typeof Balances>> & Held) {
  return (
    <Panel title={title} feeds={[feed]} has={rows !== undefined} empty={rows?.length === 0 && t("Nothing is held")}>
      <ul data-list="gauges" className={`${styles.gauges} ${styles.bars}`}>
        {rows?.slice(0, SHOWN).map(({ coin, valueUsdt }) => {
          const share = shareOf(valueUsdt, whole(total));
          return (
            <li key={coin}>
              <span className={styles.gaugeName}>{coin}</span>
              <span className="number">
                {percent(share, 1)} <small className="muted">{amount(valueUsdt, 0)} USDT</small>
              </span>
              <i className={styles.bar} aria-hidden="true">
                <i style={{ width: share === null || share.startsWith("-") ? 0 : `${multiplyDecimals(share, "100")}%` }} />
              </i>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

const balanceColumns: readonly Column<Balance>[] = [
  { id: "coin", title: t("Coin"), value: (row) => row.coin, isHead: true },
  {
    id: "value",
    title: t("Value, USDT"),
    value: (row) => row.valueUsdt,
    cell: (row) => amount(row.valueUsdt, 2),
    isNumber: true,
  },
  { id: "balance", title: t("Balance"), value: (row) => row.balance, cell: (row) => amount(row.balance), isNumber: true },
  { id: "available", title: t("Available"), value: (row) => row.available, cell: (row) => amount(row.available), isNumber: true },
  { id: "frozen", title: t("Frozen"), value: (row) => row.frozen, cell: (row) => amount(row.frozen), isNumber: true },
  { id: "locked", title: t("Locked"), value: (row) => row.locked, cell: (row) => amount(row.locked), isNumber: true },
  { id: "debt", title: t("Debt"), value: (row) => row.debt, cell: (row) => amount(row.debt), isNumber: true },
];

function BalancesPanel({ title, feed, rows, total }: PanelProps<ResultOf<typeof Balances>> & Held) {
  return (
    <Panel
      title={title}
      feeds={[feed]}
      has={rows !== undefined}
      empty={rows?.length === 0 && t("Nothing is held")}
      actions={<Together label={t("Together")} total={total} />}
    >
      <Table name={title} columns={balanceColumns} rows={rows} keyOf={({ id }) => id} />
    </Panel>
  );
}
