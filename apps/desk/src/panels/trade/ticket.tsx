import type { GraphError } from "@exchange-graph/client";
import { Suspense } from "react";
import { amount } from "../../format/format.js";
import { useAccounts, useMay } from "../../live/accounts.js";
import { t } from "../../text/text.js";
import buttons from "../../ui/button.module.css";
import { Errors, errorAt } from "../../ui/errors.js";
import form from "../../ui/form.module.css";
import { LineWarning } from "../../ui/lineWarning.js";
import { Forbidden, Panel } from "../../ui/panel.js";
import { atRest, lazily } from "../../ui/parts.js";
import { Loading } from "../../ui/state.js";
import { futuresOf } from "../market.js";
import { CalculatorButton } from "./calculatorButton.js";
import { EstimateRows } from "./estimateRows.js";
import { leveragesOf } from "./futures.js";
import { FuturesModes } from "./futuresSettings.js";
import { limitOf } from "./instrument.js";
import styles from "./ticket.module.css";
import { TicketFields } from "./ticketFields.js";
import { TicketHead } from "./ticketHead.js";
import type { Terms } from "./ticketState.js";
import { titleOf } from "./ticketTitle.js";
import { useHold } from "./useHold.js";
import { type OrderProps, type Question, useOrder } from "./useOrder.js";

const StrategyForm = lazily(
  atRest(() => import("./strategyForm.js")),
  ({ StrategyForm }) => StrategyForm,
);

const FIELDS = [
  "price",
  "qty",
  "quoteQty",
  "triggerPrice",
  "takeProfit.triggerPrice",
  "stopLoss.triggerPrice",
  "size",
  "executePrice",
];

/** Composes an order, shows its cost, and places it. */
export function TicketPanel(props: OrderProps) {
  const { market, instrument, ticket } = props;
  const { current } = useAccounts();
  const account = current?.name ?? "";
  const mayTrade = useMay("trade", account);
  const futures = futuresOf(market.category);
  const { held, on } = useHold<readonly GraphError[]>();
  const onPlaced = (size: string) => {
    toSize();
    props.onPlaced(size);
  };
  const order = useOrder({ ...props, onPlaced }, held !== undefined);
  const { terms, input, errors, confirming, isLost, isBusy, edit, send, settings, feed } = order;
  const atFields = held ?? errors;
  const limit = limitOf(instrument);
  const head = (terms: Terms) => <TicketHead ticket={ticket} terms={terms} mode={current?.mode ?? null} onChange={edit} />;
  return (
    <Panel
      title={t("Order")}
      feeds={[feed]}
      has
      className={styles.ticket}
      actions={
        futures !== undefined && (
          <CalculatorButton
            category={futures}
            ticket={ticket}
            terms={terms}
            leverage={leveragesOf(settings)[ticket.side === "BUY" ? "long" : "short"] ?? ""}
          />
        )
      }
    >
      {mayTrade && limit !== undefined && (
        <p className={form.warning} role="status">
          {limit}
        </p>
      )}
      {/* Its dialogs have forms, which the browser does not submit inside of another form. */}
      {mayTrade && futures !== undefined && (
        <FuturesModes account={account} category={futures} symbol={market.symbol} settings={settings} instrument={instrument} />
      )}
      {!mayTrade ? (
        <Forbidden scope="trade" />
      ) : ticket.kind === "STRATEGY" ? (
        <Suspense fallback={<Loading>{t("Loading…")}</Loading>}>
          <StrategyForm
            ticket={ticket}
            terms={terms}
            mode={current?.mode ?? null}
            head={head}
            onChange={edit}
            onPlaced={onPlaced}
          />
        </Suspense>
      ) : (
        <form
          className={`${form.form} ${styles.order}`}
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          {head(terms)}
          <TicketFields ticket={ticket} terms={terms} errors={atFields} onChange={edit} />
          <EstimateRows costs={input === undefined ? undefined : order.costs} most={order.most} instrument={instrument} />
          {confirming === "lost" && <LineWarning />}
          {confirming !== undefined && confirming !== "lost" && (
            <p className={form.warning} role="alert">
              {questionText(confirming, `${amount(order.confirmAbove)} ${instrument?.quoteCoin ?? ""}`)}{" "}
              {t("Press again to send it.")}
            </p>
          )}
          <button
            type="submit"
            className={ticket.side === "BUY" ? buttons.buy : buttons.sell}
            disabled={input === undefined}
            aria-disabled={isBusy}
            {...on(atFields)}
          >
            {confirming === undefined ? "" : t("Yes, ")}
            {titleOf(ticket, terms)}
            {isLost && <small> {t("when the line is back")}</small>}
          </button>
          {/* Those of a dry run come by themselves: above the button they would move it. */}
          <Errors errors={errors} shown={FIELDS.filter((field) => errorAt(atFields, field) === errorAt(errors, field))} />
        </form>
      )}
    </Panel>
  );
}

/** After an order that was sent by the keyboard at its button, which is disabled without a size, the next one begins with that. */
function toSize(): void {
  if (document.activeElement?.matches("[type=submit]:focus-visible")) document.getElementById("ticket-size")?.focus();
}

/** What has to be confirmed. */
function questionText(question: Exclude<Question, "lost">, value: string): string {
  switch (question) {
    case "large":
      return t("This market order is worth more than {value}.", { value });
    case "moved":
      return t("The price has moved by more than 1 % since the order was computed. It is computed again.");
    case "crossing":
      return t("This limit order would trade at once, and is worth more than {value}.", { value });
  }
}
