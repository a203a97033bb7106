import { useState } from "react";
import { amount, percent, words } from "../../format/format.js";
import { dateTime } from "../../format/time.js";
import { graphql, type ResultOf } from "../../graph/document.js";
import { useRead } from "../../graph/useRead.js";
import { useAccount } from "../../live/accounts.js";
import { useSettings } from "../../state/settings.js";
import { Figure, Select } from "../../ui/controls.js";
import type { Column } from "../../ui/csv.js";
import { Panel } from "../../ui/panel.js";
import { Table } from "../../ui/table.js";

const SharkFinOf = graphql(`
  query SharkFinOf($account: String) {
    account(name: $account) {
      earn {
        sharkFin {
          totals {
            subscribedUsdt
            amountUsdt
            earnedUsdt
          }
          held: assets(status: SUBSCRIBED, first: 50) {
            nodes {
              id
              productId
              productCoin
              subscribeCoin
              trend
              productStatus
              interestAmount
              interestStartTime
              interestEndTime
              settleTime
            }
          }
          settled: assets(status: SETTLED, first: 50) {
            nodes {
              id
              productId
              productCoin
              subscribeCoin
              trend
              productStatus
              interestAmount
              interestStartTime
              interestEndTime
              settleTime
            }
          }
        }
      }
    }
  }
`);

const SharkFinOffers = graphql(`
  query SharkFinOffers($account: String, $coin: String!) {
    account(name: $account) {
      earn {
        sharkFin {
          offers(coin: $coin, first: 50) {
            nodes {
              productId
              productName
              productCoin
              subscribeCoin
              productStatus
              period
              lowerRate
              defaultRate
              upperRate
              minAmount
              limitAmount
              soldAmount
              endTime
            }
          }
        }
      }
    }
  }
`);

type SharkFin = NonNullable<ResultOf<typeof SharkFinOf>["account"]>["earn"]["sharkFin"];
type Product = NonNullable<NonNullable<SharkFin["held"]>["nodes"][number]>;
type Offer = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof SharkFinOffers>["account"]>["earn"]["sharkFin"]["offers"]>["nodes"][number]
>;

/** Shark-fin products that are held, and what came of those that are settled. */
export function SharkFinPanel() {
  const account = useAccount();
  const { zone } = useSettings();
  const feed = useRead(SharkFinOf, { account }, { everyMs: 20_000 });
  const fin = feed.data?.account?.earn.sharkFin;
  const rows = [...(fin?.held?.nodes ?? []), ...(fin?.settled?.nodes ?? [])].filter((row) => row !== null);
  const columns: readonly Column<Product>[] = [
    {
      id: "product",
      title: "Product",
      value: (row) => row.productCoin,
      cell: ({ productCoin, subscribeCoin, trend }) => (
        <>
          {productCoin} <span className="tag">{subscribeCoin}</span>{" "}
          <span className={`tag ${trend === "UP" ? "up" : "down"}`}>
            {trend === "UP" ? "Bullish" : trend === "DOWN" ? "Bearish" : words(trend)}
          </span>
        </>
      ),
      isHead: true,
    },
    { id: "status", title: "Status", value: (row) => row.productStatus, cell: (row) => words(row.productStatus) },
    {
      id: "interest",
      title: "Interest",
      value: (row) => row.interestAmount,
      cell: (row) => `${amount(row.interestAmount)} ${row.subscribeCoin}`,
      isNumber: true,
    },
    { id: "start", title: "From", value: (row) => row.interestStartTime, cell: (row) => dateTime(row.interestStartTime, zone) },
    { id: "end", title: "To", value: (row) => row.interestEndTime, cell: (row) => dateTime(row.interestEndTime, zone) },
    { id: "settle", title: "Settles", value: (row) => row.settleTime, cell: (row) => dateTime(row.settleTime, zone) },
  ];
  return (
    <Panel
      title="Shark-fin"
      feeds={[feed]}
      has={fin !== undefined && fin.held !== null}
      empty={rows.length === 0 && "No shark-fin products"}
    >
      <dl className="figures">
        <Figure name="Subscribed, USDT">{amount(fin?.totals?.subscribedUsdt, 2)}</Figure>
        <Figure name="Settled, USDT">{amount(fin?.totals?.amountUsdt, 2)}</Figure>
        <Figure name="Earned, USDT">{amount(fin?.totals?.earnedUsdt, 2)}</Figure>
      </dl>
      <Table name="Shark-fin" columns={columns} rows={rows} keyOf={({ id }) => id} />
    </Panel>
  );
}

const COINS = ["USDT", "USDC", "BTC", "ETH"].map((coin) => ({ value: coin, text: coin }));

/** Shark-fin products that are offered, with their terms. */
export function SharkFinOffersPanel() {
  const account = useAccount();
  const { zone } = useSettings();
  const [coin, setCoin] = useState("USDT");
  const feed = useRead(SharkFinOffers, { account, coin }, { everyMs: 60_000 });
  const offers = feed.data?.account?.earn.sharkFin.offers;
  const rows = offers?.nodes.filter((row) => row !== null) ?? [];
  const columns: readonly Column<Offer>[] = [
    { id: "name", title: "Offer", value: (row) => row.productName ?? row.productCoin, isHead: true },
    { id: "status", title: "Status", value: (row) => row.productStatus, cell: (row) => words(row.productStatus) },
    {
      id: "rates",
      title: "Rate a year, low to high",
      value: (row) => row.upperRate,
      cell: (row) => `${percent(row.lowerRate)} to ${percent(row.upperRate)}`,
      isNumber: true,
    },
    { id: "min", title: "From", value: (row) => row.minAmount, cell: (row) => amount(row.minAmount), isNumber: true },
    {
      id: "sold",
      title: "Sold",
      value: (row) => row.soldAmount,
      cell: (row) => `${amount(row.soldAmount)} of ${amount(row.limitAmount)}`,
      isNumber: true,
    },
    { id: "period", title: "Days", value: (row) => row.period, isNumber: true },
    { id: "end", title: "Open until", value: (row) => row.endTime, cell: (row) => dateTime(row.endTime, zone) },
  ];
  return (
    <Panel
      title="Shark-fin offers"
      feeds={[feed]}
      has={offers !== undefined && offers !== null}
      empty={rows.length === 0 && `No offers in ${coin}`}
      actions={<Select label="Coin" isLabelHidden value={coin} onChange={setCoin} options={COINS} />}
    >
      <Table name="Shark-fin offers" columns={columns} rows={rows} keyOf={({ productId }) => productId} />
    </Panel>
  );
}
