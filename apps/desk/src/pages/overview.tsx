import { compareDecimals, divideDecimals } from "@exchange-graph/client";
import { amount, percent, signed, sum, tone, words } from "../format/format.js";
import { graphql, type ResultOf } from "../graph/document.js";
import { useRead } from "../graph/useRead.js";
import { choose, useAccount } from "../live/accounts.js";
import { profitOf } from "../live/positions.js";
import { EquityPanel } from "../panels/overview/equityPanel.js";
import { Board } from "../ui/board.js";
import type { Column } from "../ui/csv.js";
import { Panel } from "../ui/panel.js";
import { Table } from "../ui/table.js";

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
        unrealisedPnl
        markPrice
        notional
      }
      openOrders(first: 100) {
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
  const account = useAccount();
  const feed = useRead(AllAccounts, {}, { everyMs: EVERY_MS });
  const balances = useRead(Balances, { account }, { everyMs: EVERY_MS });
  const rows = feed.data?.accounts;
  const held = balances.data?.account?.balances?.filter((row) => row !== null);
  const kept = held
    ?.filter(({ balance }) => balance !== null && compareDecimals(balance, "0") !== 0)
    .sort((a, b) => compareDecimals(b.valueUsdt ?? "0", a.valueUsdt ?? "0"));
  return (
    <>
      <h1 className="hidden">Overview</h1>
      <Board
        tiles={[
          { id: "All accounts", w: 24, panel: <AccountsPanel feed={feed} rows={rows} /> },
          { id: "Equity", w: 17, panel: <EquityPanel account={account} /> },
          { id: "Allocation", w: 7, panel: <AllocationPanel feed={balances} rows={kept} /> },
          { id: "Balances", w: 24, panel: <BalancesPanel feed={balances} rows={kept} account={account} /> },
        ]}
      />
    </>
  );
}

interface PanelProps<Result> {
  readonly feed: ReturnType<typeof useRead<Result, object>>;
}

function AccountsPanel({ feed, rows }: PanelProps<ResultOf<typeof AllAccounts>> & { readonly rows: readonly Row[] | undefined }) {
  const total = sum(rows?.flatMap(({ totalEquity }) => totalEquity ?? []) ?? []);
  const open = (row: Row) => row.positions?.filter((position) => position !== null) ?? [];
  const columns: readonly Column<Row>[] = [
    {
      id: "name",
      title: "Account",
      value: (row) => row.name,
      cell: ({ name }) => (
        <button type="button" className="link" onClick={() => choose(name)}>
          {name}
        </button>
      ),
      isHead: true,
    },
    { id: "mode", title: "Mode", value: (row) => row.mode, cell: (row) => words(row.mode) },
    {
      id: "equity",
      title: "Equity, USDT",
      value: (row) => row.totalEquity,
      cell: (row) => amount(row.totalEquity, 2),
      isNumber: true,
    },
    {
      id: "share",
      title: "Share",
      value: (row) => shareOf(row.totalEquity, total),
      cell: (row) => percent(shareOf(row.totalEquity, total), 1),
      isNumber: true,
    },
    {
      id: "profit",
      title: "Unrealised, USDT",
      value: (row) => profitOf(open(row)),
      cell: (row) => <span className={tone(profitOf(open(row)))}>{signed(profitOf(open(row)), 2)}</span>,
      isNumber: true,
    },
    {
      id: "exposure",
      title: "Position value",
      value: (row) => sum(open(row).flatMap(({ notional }) => notional ?? [])),
      cell: (row) => amount(sum(open(row).flatMap(({ notional }) => notional ?? [])), 2),
      isNumber: true,
    },
    { id: "positions", title: "Positions", value: (row) => String(open(row).length), isNumber: true },
    { id: "orders", title: "Open orders", value: (row) => String(row.openOrders?.nodes.length ?? 0), isNumber: true },
  ];
  return (
    <Panel
      title="All accounts"
      feeds={[feed]}
      has={rows !== undefined}
      empty={rows?.length === 0 && "No accounts"}
      className="accounts"
      actions={
        <span>
          <span className="muted">Together</span> <b>{amount(total, 2)} USDT</b>
        </span>
      }
    >
      <Table name="All accounts" columns={columns} rows={rows ?? []} keyOf={({ name }) => name} />
    </Panel>
  );
}

const shareOf = (part: string | null, whole: string): string | null =>
  part === null || compareDecimals(whole, "0") <= 0 ? null : divideDecimals(part, whole, 6);

interface Held {
  readonly rows: readonly Balance[] | undefined;
}

const totalOf = (rows: readonly Balance[] | undefined): string =>
  sum(rows?.flatMap(({ valueUsdt }) => (valueUsdt !== null && compareDecimals(valueUsdt, "0") > 0 ? valueUsdt : [])) ?? []);

const SHOWN = 7;

/** Allocation of the balances by coin. */
function AllocationPanel({ feed, rows }: PanelProps<ResultOf<typeof Balances>> & Held) {
  const total = totalOf(rows);
  return (
    <Panel
      title="Allocation"
      feeds={[feed]}
      has={rows !== undefined}
      empty={rows?.length === 0 && "Nothing is held"}
      className="allocation"
    >
      <ul className="gauges bars">
        {rows?.slice(0, SHOWN).map(({ coin, valueUsdt }) => {
          const share = shareOf(valueUsdt, total);
          return (
            <li key={coin}>
              <span className="gauge-name">{coin}</span>
              <span className="number">
                {percent(share, 1)} <small className="muted">{amount(valueUsdt, 0)} USDT</small>
              </span>
              <i className="bar" aria-hidden="true">
                <i style={{ width: percent(share, 2).replace(" ", "") }} />
              </i>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

const balanceColumns: readonly Column<Balance>[] = [
  { id: "coin", title: "Coin", value: (row) => row.coin, isHead: true },
  { id: "value", title: "Value, USDT", value: (row) => row.valueUsdt, cell: (row) => amount(row.valueUsdt, 2), isNumber: true },
  { id: "balance", title: "Balance", value: (row) => row.balance, cell: (row) => amount(row.balance), isNumber: true },
  { id: "available", title: "Available", value: (row) => row.available, cell: (row) => amount(row.available), isNumber: true },
  { id: "frozen", title: "Frozen", value: (row) => row.frozen, cell: (row) => amount(row.frozen), isNumber: true },
  { id: "locked", title: "Locked", value: (row) => row.locked, cell: (row) => amount(row.locked), isNumber: true },
  { id: "debt", title: "Debt", value: (row) => row.debt, cell: (row) => amount(row.debt), isNumber: true },
];

function BalancesPanel({ feed, rows, account }: PanelProps<ResultOf<typeof Balances>> & Held & { readonly account: string }) {
  const title = account === "" ? "Balances" : `Balances of ${account}`;
  return (
    <Panel
      title={title}
      feeds={[feed]}
      has={rows !== undefined}
      empty={rows?.length === 0 && "Nothing is held"}
      className="wide"
      actions={
        <span>
          <span className="muted">Together</span> <b>{amount(totalOf(rows), 2)} USDT</b>
        </span>
      }
    >
      <Table name={title} columns={balanceColumns} rows={rows ?? []} keyOf={({ id }) => id} />
    </Panel>
  );
}
