import { useState } from "react";
import { amount, percent, words } from "../../format/format.js";
import { graphql, type ResultOf } from "../../graph/document.js";
import { usePages } from "../../graph/usePages.js";
import { useAccount } from "../../live/accounts.js";
import { useSettings } from "../../state/settings.js";
import { t } from "../../text/text.js";
import { Choice, Figure, Select } from "../../ui/controls.js";
import type { Column } from "../../ui/csv.js";
import figures from "../../ui/figures.module.css";
import { ListPanel } from "../../ui/listPanel.js";
import { Tag } from "../../ui/tag.js";
import { amountColumn, dayColumn } from "../columns.js";

const SharkFinOf = graphql(`
  query SharkFinOf($account: String, $status: SharkFinHoldingStatus!, $after: String) {
    account(name: $account) {
      earn {
        sharkFin {
          totals {
            subscribedUsdt
            amountUsdt
            earnedUsdt
          }
          assets(status: $status, first: 100, after: $after) {
            pageInfo {
              hasNextPage
              endCursor
            }
            nodes {
              id
              productId
              productCoin
              subscribeCoin
              trend
              status
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
  query SharkFinOffers($account: String, $coin: String!, $after: String) {
    account(name: $account) {
      earn {
        sharkFin {
          offers(coin: $coin, first: 100, after: $after) {
            pageInfo {
              hasNextPage
              endCursor
            }
            nodes {
              productId
              productName
              productCoin
              subscribeCoin
              status
              periodDays
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
type Product = NonNullable<NonNullable<SharkFin["assets"]>["nodes"][number]>;
type Offer = NonNullable<
  NonNullable<NonNullable<ResultOf<typeof SharkFinOffers>["account"]>["earn"]["sharkFin"]["offers"]>["nodes"][number]
>;

/** Subscribed shark-fin products, and results of the settled ones. */
export function SharkFinPanel() {
  const account = useAccount();
  const { zone } = useSettings();
  const [status, setStatus] = useState<"SUBSCRIBED" | "SETTLED">("SUBSCRIBED");
  const feed = usePages(
    SharkFinOf,
    { account, status },
    { list: (data) => data.account?.earn.sharkFin.assets, keyOf: ({ id }) => id },
    { everyMs: 20_000 },
  );
  const totals = feed.data?.account?.earn.sharkFin.totals;
  const columns: readonly Column<Product>[] = [
    {
      id: "product",
      title: t("Product"),
      value: (row) => row.productCoin,
      cell: ({ productCoin, subscribeCoin, trend }) => (
        <>
          {productCoin} <Tag>{subscribeCoin}</Tag>{" "}
          <Tag tone={trend === "UP" ? "up" : "down"}>
            {trend === "UP" ? t("Bullish") : trend === "DOWN" ? t("Bearish") : words(trend)}
          </Tag>
        </>
      ),
      isHead: true,
    },
    { id: "status", title: t("Status"), value: (row) => row.status, cell: (row) => words(row.status) },
    amountColumn(
      "interest",
      t("Interest"),
      (row) => row.interestAmount,
      (row) => row.subscribeCoin,
    ),
    dayColumn("start", t("From"), zone, (row) => row.interestStartTime),
    dayColumn("end", t("To"), zone, (row) => row.interestEndTime),
    dayColumn("settle", t("Settles"), zone, (row) => row.settleTime),
  ];
  return (
    <ListPanel
      title={t("Shark-fin")}
      feed={feed}
      columns={columns}
      keyOf={({ id }) => id}
      empty={status === "SUBSCRIBED" ? t("No shark-fin products") : t("Nothing is settled yet")}
      actions={
        <Choice
          label={t("Which products")}
          value={status}
          onChange={setStatus}
          options={[
            { value: "SUBSCRIBED", text: t("Held") },
            { value: "SETTLED", text: t("Settled") },
          ]}
        />
      }
    >
      <dl className={figures.figures}>
        <Figure name={t("Subscribed, USDT")}>{amount(totals?.subscribedUsdt, 2)}</Figure>
        <Figure name={t("Settled, USDT")}>{amount(totals?.amountUsdt, 2)}</Figure>
        <Figure name={t("Earned, USDT")}>{amount(totals?.earnedUsdt, 2)}</Figure>
      </dl>
    </ListPanel>
  );
}

const COINS = ["USDT", "USDC", "BTC", "ETH"].map((coin) => ({ value: coin, text: coin }));

/** Offered shark-fin products with their terms. */
export function SharkFinOffersPanel() {
  const account = useAccount();
  const { zone } = useSettings();
  const [coin, setCoin] = useState("USDT");
  const feed = usePages(
    SharkFinOffers,
    { account, coin },
    { list: (data) => data.account?.earn.sharkFin.offers, keyOf: ({ productId }) => productId },
    { everyMs: 60_000 },
  );
  const columns: readonly Column<Offer>[] = [
    { id: "name", title: t("Offer"), value: (row) => row.productName ?? row.productCoin, isHead: true },
    { id: "status", title: t("Status"), value: (row) => row.status, cell: (row) => words(row.status) },
    {
      id: "rates",
      title: t("Rate a year, low to high"),
      value: (row) => row.upperRate,
      cell: (row) => `${percent(row.lowerRate)} – ${percent(row.upperRate)}`,
      isNumber: true,
    },
    { id: "min", title: t("From"), value: (row) => row.minAmount, cell: (row) => amount(row.minAmount), isNumber: true },
    {
      id: "sold",
      title: t("Sold"),
      value: (row) => row.soldAmount,
      cell: (row) => `${amount(row.soldAmount)} / ${amount(row.limitAmount)}`,
      isNumber: true,
    },
    { id: "period", title: t("Days"), value: ({ periodDays }) => periodDays?.toString(), isNumber: true },
    dayColumn("end", t("Open until"), zone, (row) => row.endTime),
  ];
  return (
    <ListPanel
      title={t("Shark-fin offers")}
      feed={feed}
      columns={columns}
      keyOf={({ productId }) => productId}
      empty={t("No offers in {coin}", { coin })}
      actions={<Select label={t("Coin")} isLabelHidden value={coin} onChange={setCoin} options={COINS} />}
    />
  );
}
