import { compareDecimals, multiplyDecimals } from "@exchange-graph/client";
import { useState } from "react";
import { amount, isPositive, signed, signedPercent, tone } from "../../format/format.js";
import { graphql } from "../../graph/document.js";
import { useRead } from "../../graph/useRead.js";
import { t } from "../../text/text.js";
import { Choice, Field } from "../../ui/controls.js";
import { Dialog } from "../../ui/dialog.js";
import figures from "../../ui/figures.module.css";
import form from "../../ui/form.module.css";
import type { Futures } from "../market.js";
import type { Instrument } from "./instrument.js";
import { outlookOf } from "./outlook.js";

const TiersOf = graphql(`
  query TiersOf($category: FuturesCategoryInput!, $symbol: String!) {
    positionTiers(category: $category, symbol: $symbol) {
      minValue
      maxValue
      maintenanceMarginRate
    }
  }
`);

/** The values that the calculator begins with. */
interface Start {
  readonly side: "BUY" | "SELL";
  readonly entry: string;
  readonly exit: string;
  readonly qty: string;
  readonly leverage: string;
}

interface Props {
  readonly category: Futures;
  readonly symbol: string;
  readonly instrument: Instrument | undefined;
  readonly start: Start;
  readonly onClose: () => void;
}

/** Profit, fees and liquidation price of a planned position. It sends nothing. */
export function Calculator({ category, symbol, instrument, start, onClose }: Props) {
  const [plan, setPlan] = useState(start);
  const { data } = useRead(TiersOf, { category, symbol });
  const edit = (part: Partial<Start>) => setPlan((old) => ({ ...old, ...part }));
  const isWhole = [plan.entry, plan.exit, plan.qty, plan.leverage].every(isPositive);
  const value = isWhole ? multiplyDecimals(plan.entry, plan.qty) : "0";
  const tier = data?.positionTiers?.find((one) => one?.maxValue == null || compareDecimals(value, one.maxValue) <= 0);
  const outlook = isWhole
    ? outlookOf({
        ...plan,
        feeRate: instrument?.fees?.taker ?? null,
        maintenanceRate: tier?.maintenanceMarginRate ?? null,
      })
    : undefined;
  const decimals = instrument?.precision?.price;
  const quote = instrument?.quoteCoin ?? "";
  return (
    <Dialog title={t("Calculator of {symbol}", { symbol })} onClose={onClose}>
      <div className={form.form}>
        <Choice
          label={t("Side")}
          value={plan.side}
          onChange={(side) => edit({ side })}
          options={[
            { value: "BUY", text: t("Long"), tone: "buy" },
            { value: "SELL", text: t("Short"), tone: "sell" },
          ]}
        />
        <div className={form.pair}>
          <Field label={t("Entry")} value={plan.entry} onChange={(entry) => edit({ entry })} unit={quote} isDecimal />
          <Field label={t("Exit")} value={plan.exit} onChange={(exit) => edit({ exit })} unit={quote} isDecimal />
        </div>
        <div className={form.pair}>
          <Field label={t("Quantity")} value={plan.qty} onChange={(qty) => edit({ qty })} unit={instrument?.baseCoin} isDecimal />
          <Field label={t("Leverage")} value={plan.leverage} onChange={(leverage) => edit({ leverage })} unit="×" isDecimal />
        </div>
        <dl className={figures.rows}>
          <div>
            <dt>{t("Margin")}</dt>
            <dd>{amount(outlook?.margin, 2)}</dd>
          </div>
          <div>
            <dt>{t("Profit")}</dt>
            <dd className={tone(outlook?.profit)}>{signed(outlook?.profit, 2)}</dd>
          </div>
          <div>
            <dt>{t("Fees of both trades, as a taker")}</dt>
            <dd>{amount(outlook?.fees, 2)}</dd>
          </div>
          <div>
            <dt>{t("Profit after fees, and of the margin")}</dt>
            <dd className={tone(outlook?.net)}>
              {signed(outlook?.net, 2)} {signedPercent(outlook?.onMargin)}
            </dd>
          </div>
          <div>
            <dt>{t("Liquidation, if isolated")}</dt>
            <dd>{amount(outlook?.liquidation, decimals)}</dd>
          </div>
        </dl>
        <p>{t("An estimate: funding, added margin and other positions are not in it.")}</p>
      </div>
    </Dialog>
  );
}
