import { memo, useCallback, useState } from "react";
import { amount, percent, short, signedPercent, tone } from "../../format/format.js";
import { span } from "../../format/time.js";
import { seconds } from "../../state/clock.js";
import { favour, useSettings } from "../../state/settings.js";
import { useStore } from "../../state/store.js";
import { t } from "../../text/text.js";
import { Figure } from "../../ui/controls.js";
import figures from "../../ui/figures.module.css";
import { Panel } from "../../ui/panel.js";
import { CATEGORIES } from "../market.js";
import { type Instrument, limitOf, type Market } from "./instrument.js";
import styles from "./marketHead.module.css";
import { MarketPicker, nameOf } from "./markets.js";
import markets from "./markets.module.css";
import { useTicker } from "./ticker.js";

/** The list is not drawn again with each ticker of the market above it. */
const Picker = memo(MarketPicker);

/** Name and state of the market. */
export function MarketHead({ market, instrument }: { readonly market: Market; readonly instrument: Instrument | undefined }) {
  const { ticker, feed } = useTicker(market);
  const decimals = instrument?.precision?.price;
  const limit = limitOf(instrument);
  const [isPicking, pick] = useState(false);
  const close = useCallback(() => pick(false), []);
  const isFavourite = useSettings().favourites.includes(nameOf(market));
  return (
    <Panel
      title={t("Market")}
      feeds={[feed]}
      has={feed.phase !== "failed"}
      bodyClassName={styles.body}
      actions={
        <>
          <button type="button" className={styles.market} aria-haspopup="dialog" onClick={() => pick(true)}>
            <b>{market.symbol}</b> <small>{CATEGORIES.find(({ value }) => value === market.category)?.text}</small> ▾
          </button>
          <button
            type="button"
            className={markets.star}
            aria-pressed={isFavourite}
            aria-label={t("Favourite {symbol}", { symbol: market.symbol })}
            onClick={() => favour(nameOf(market))}
          >
            {isFavourite ? "★" : "☆"}
          </button>
        </>
      }
    >
      <dl className={`${figures.figures} ${styles.ticker}`}>
        <div className={styles.last} data-last-price>
          <dt className="hidden">{t("Last price")}</dt>
          <dd className={tone(ticker?.change24h)}>{amount(ticker?.lastPrice, decimals)}</dd>
        </div>
        {limit !== undefined && (
          <Figure name={t("Status")} tone="down">
            {limit}
          </Figure>
        )}
        <Figure name="24 h" tone={tone(ticker?.change24h)}>
          {signedPercent(ticker?.change24h)}
        </Figure>
        <Figure name={t("High / low")}>
          {amount(ticker?.highPrice24h, decimals)} / {amount(ticker?.lowPrice24h, decimals)}
        </Figure>
        <Figure name={t("Turnover, {value}", { value: instrument?.quoteCoin ?? "" })}>{short(ticker?.turnover24h)}</Figure>
        {market.category.endsWith("FUTURES") && (
          <>
            <Figure name={t("Mark")}>{amount(ticker?.markPrice, decimals)}</Figure>
            <Figure name={t("Index")}>{amount(ticker?.indexPrice, decimals)}</Figure>
            <Figure name={t("Funding")}>
              {percent(ticker?.fundingRate, 4)} <Countdown to={ticker?.nextFundingTime} />
            </Figure>
            <Figure name={t("Open interest")}>{short(ticker?.openInterest)}</Figure>
          </>
        )}
      </dl>
      {isPicking && <Picker market={market} onClose={close} />}
    </Panel>
  );
}

function Countdown({ to }: { readonly to: string | null | undefined }) {
  const time = useStore(seconds);
  if (!to) return null;
  return (
    <small className="muted">
      {t("in")} {span(Math.max(0, Date.parse(to) - time))}
    </small>
  );
}
