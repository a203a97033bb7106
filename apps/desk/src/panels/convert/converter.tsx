import { compareDecimals, type GraphError, isDecimal } from "@exchange-graph/client";
import { errorsOf } from "@exchange-graph/client/urql";
import { useEffect, useState } from "react";
import { useClient } from "urql";
import { amount } from "../../format/format.js";
import { t } from "../../text/text.js";
import "../../graph/written.js";
import { graphql, type ResultOf, textOf } from "../../graph/document.js";
import { arePassing } from "../../graph/fault.js";
import { useIsLost } from "../../graph/session.js";
import { NO_GATEWAY } from "../../graph/useLive.js";
import { useRead } from "../../graph/useRead.js";
import { submit } from "../../graph/writes.js";
import { useAccount, useMay } from "../../live/accounts.js";
import { now } from "../../state/clock.js";
import buttons from "../../ui/button.module.css";
import { Field, Select } from "../../ui/controls.js";
import { Errors } from "../../ui/errors.js";
import form from "../../ui/form.module.css";
import { Panel } from "../../ui/panel.js";
import styles from "./converter.module.css";

const Currencies = graphql(`
  query Currencies($account: String) {
    account(name: $account) {
      convertCurrencies {
        coin
        available
        minAmount
        maxAmount
      }
    }
  }
`);

const Quote = graphql(`
  query Quote($account: String, $fromCoin: String!, $toCoin: String!, $fromAmount: Decimal!) {
    account(name: $account) {
      convertQuote(fromCoin: $fromCoin, toCoin: $toCoin, amount: { from: $fromAmount }) {
        traceId
        fromCoin
        fromAmount
        toCoin
        toAmount
        price
        fee
        expireTime
      }
    }
  }
`);

const ConvertIt = graphql(`
  mutation ConvertIt($input: ConvertInput!) {
    convert(input: $input) {
      toAmount
      toCoin
      ...Written
    }
  }
`);

type Quoted = NonNullable<NonNullable<ResultOf<typeof Quote>["account"]>["convertQuote"]>;
type Currency = NonNullable<NonNullable<NonNullable<ResultOf<typeof Currencies>["account"]>["convertCurrencies"]>[number]>;

/** The answer to a request for a quotation, or to its acceptance. */
interface Answer {
  /** The amount and the coins that it is for. */
  readonly of: string;
  readonly quote: { readonly quoted: Quoted; readonly until: number } | undefined;
  readonly errors: readonly GraphError[];
}

const UNANSWERED = { quote: undefined, errors: [] };

/** Time for which a quotation is valid, ms. */
const STANDS_MS = 8_000;
const FRAME_MS = 100;
const SECOND_MS = 1_000;

/** Converts one coin to another, at a price that is valid for eight seconds. */
export function ConvertPanel() {
  const account = useAccount();
  const feed = useRead(Currencies, { account }, { everyMs: 20_000 });
  const read = feed.data?.account?.convertCurrencies ?? undefined;
  // A read that fails takes nothing away from what is typed.
  const [last, setLast] = useState({ account, read });
  if (read !== undefined && read !== last.read) setLast({ account, read });
  const isKept = last.account === account && arePassing(feed.faults);
  const coins = (read ?? (isKept ? last.read : undefined))?.filter((row) => row !== null);
  return (
    <Panel
      title={t("Convert")}
      feeds={[feed]}
      has={coins !== undefined}
      empty={coins?.length === 0 && t("Nothing can be converted")}
    >
      {coins !== undefined && <Form key={account} account={account} coins={coins} />}
    </Panel>
  );
}

function Form({ account, coins }: { readonly account: string; readonly coins: readonly Currency[] }) {
  const client = useClient();
  const mayConvert = useMay("trade", account);
  // A price is over before a lost line is back: nothing waits for it.
  const isLost = useIsLost();
  const has = (coin: string) => coins.some((one) => one.coin === coin);
  const [from, setFrom] = useState(has("USDT") ? "USDT" : (coins[0]?.coin ?? ""));
  const [to, setTo] = useState(has("BTC") ? "BTC" : (coins[1]?.coin ?? ""));
  const [value, setValue] = useState("");
  const [answer, setAnswer] = useState<Answer>();
  const [isBusy, setBusy] = useState(false);
  const [isTaken, setTaken] = useState(false);
  const of = `${value} ${from} ${to}`;
  // What was asked may have been edited before the answer arrived.
  const { quote, errors } = answer?.of === of ? answer : UNANSWERED;
  const given = coins.find(({ coin }) => coin === from);
  const options = coins.map(({ coin }) => ({ value: coin, text: coin }));
  const edit = (set: (text: string) => void) => (text: string) => {
    set(text);
    setAnswer(undefined);
  };
  const request = async () => {
    if (isBusy) return;
    setBusy(true);
    setAnswer(undefined);
    const requestedAt = now();
    const { data, error } = await client.query(textOf(Quote), { account, fromCoin: from, toCoin: to, fromAmount: value });
    setBusy(false);
    const quoted = data?.account?.convertQuote ?? undefined;
    // Measured by the browser's clock from the request on: never longer than the quotation is valid.
    const quote = quoted && { quoted, until: requestedAt + STANDS_MS };
    setAnswer({ of, quote, errors: quoted === undefined ? errorsOf(error) : [] });
  };
  const take = async ({ traceId, fromCoin, fromAmount, toCoin, toAmount, price }: Quoted) => {
    setBusy(true);
    setTaken(true);
    const result = await submit(
      t("Convert {fromAmount} {fromCoin} to {toCoin}", { fromAmount: amount(fromAmount), fromCoin, toCoin }),
      ConvertIt,
      {
        ...{ account, traceId, fromCoin, fromAmount, toCoin, toAmount, price },
      },
    );
    setBusy(false);
    setTaken(false);
    setAnswer(result.outcome === "rejected" ? { of, quote: undefined, errors: result.errors } : undefined);
    if (result.outcome !== "rejected") setValue((typed) => (typed === value ? "" : typed));
  };
  return (
    <form
      className={`${form.form} ${styles.convertForm}`}
      onSubmit={(event) => {
        event.preventDefault();
        void request();
      }}
    >
      <div className={styles.convertRow}>
        <Field
          label={t("Give")}
          value={value}
          onChange={edit(setValue)}
          hint={t("Available {value}; from {value2} to {value3}", {
            value: amount(given?.available),
            value2: amount(given?.minAmount),
            value3: `${amount(given?.maxAmount)} ${from}`,
          })}
          isDecimal
        />
        <Select label={t("Coin to give")} value={from} onChange={edit(setFrom)} options={options} />
        <button
          type="button"
          className={styles.swap}
          aria-label={t("Exchange the coins")}
          onClick={() => {
            edit(setFrom)(to);
            setTo(from);
          }}
        >
          ⇄
        </button>
        <Select label={t("Coin to receive")} value={to} onChange={edit(setTo)} options={options} />
      </div>
      <button
        type="submit"
        className={buttons.primary}
        disabled={!isDecimal(value) || compareDecimals(value, "0") <= 0 || from === to || !mayConvert || isLost}
        aria-disabled={isBusy}
      >
        {!mayConvert ? t("This token may not convert") : isLost ? NO_GATEWAY : t("Get a price")}
      </button>
      <Errors errors={errors} shown={[]} />
      {quote !== undefined && (
        <QuoteCard
          key={quote.quoted.traceId}
          {...quote}
          isBusy={isBusy || isLost || !mayConvert}
          isTaken={isTaken}
          onTake={() => void take(quote.quoted)}
          onAgain={() => void request()}
        />
      )}
    </form>
  );
}

interface QuoteProps {
  readonly quoted: Quoted;
  /** Unix ms. */
  readonly until: number;
  readonly isBusy: boolean;
  /** Whether it was accepted, and the answer is not there yet. */
  readonly isTaken: boolean;
  readonly onTake: () => void;
  readonly onAgain: () => void;
}

/** A price with a countdown of its validity; after that it cannot be accepted. */
function QuoteCard({ quoted, until, isBusy, isTaken, onTake, onAgain }: QuoteProps) {
  const [left, setLeft] = useState(until - now());
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, until - now())), FRAME_MS);
    return () => clearInterval(timer);
  }, [until]);
  const isOver = left <= 0 && !isTaken;
  return (
    <div className={`${styles.quote} ${isOver ? styles.over : ""}`}>
      <p className={styles.quoteGet}>
        <span className="muted">{t("You receive")}</span>
        <b>
          {amount(quoted.toAmount)} {quoted.toCoin}
        </b>
      </p>
      <p className="muted">
        1 {quoted.fromCoin} = {amount(quoted.price)} {quoted.toCoin}
        {t(", fee")} {amount(quoted.fee)}
      </p>
      <progress max={STANDS_MS} value={left} aria-label={t("Time left of the price")} />
      {isOver ? (
        <>
          <p role="alert">{t("This price has expired.")}</p>
          <button type="button" onClick={onAgain} disabled={isBusy}>
            {t("Get a new price")}
          </button>
        </>
      ) : (
        <button type="button" className={buttons.buy} onClick={onTake} disabled={isBusy}>
          {isTaken ? t("Sending") : `${t("Convert,")} ${Math.ceil(left / SECOND_MS)} ${t("s left")}`}
        </button>
      )}
    </div>
  );
}
