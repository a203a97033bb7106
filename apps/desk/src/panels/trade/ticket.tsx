import { useState } from "react";
import { amount } from "../../format/format.js";
import { useAccounts, useMay } from "../../live/accounts.js";
import { t } from "../../text/text.js";
import { Choice } from "../../ui/controls.js";
import { Errors } from "../../ui/errors.js";
import { LineWarning } from "../../ui/lineWarning.js";
import { Forbidden, Panel } from "../../ui/panel.js";
import { type Category, futuresOf } from "../market.js";
import { CalculatorButton } from "./calculatorButton.js";
import { EstimateRows } from "./estimateRows.js";
import { FuturesModes, leverageOf } from "./futuresSettings.js";
import { TicketFields } from "./ticketFields.js";
import { titleOf } from "./ticketTitle.js";
import { type OrderProps, type Question, useOrder } from "./useOrder.js";

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
  const [isHeld, hold] = useState(false);
  const order = useOrder(props, isHeld);
  const { terms, input, errors, asked, isLost, isBusy, edit, send, settings, feed } = order;
  const kinds = kindsOf(market.category, current?.mode ?? null);
  return (
    <Panel
      title={t("Order")}
      feeds={[feed]}
      has
      className="ticket"
      actions={
        futures !== undefined && (
          <CalculatorButton category={futures} ticket={ticket} terms={terms} leverage={leverageOf(settings) ?? "1"} />
        )
      }
    >
      {mayTrade ? (
        <form
          className="form ticket-form"
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          {futures !== undefined && (
            <FuturesModes
              account={account}
              category={futures}
              symbol={market.symbol}
              settings={settings}
              instrument={instrument}
            />
          )}
          <Choice
            label={t("Side")}
            className="sides"
            value={ticket.side}
            onChange={(side) => edit({ side })}
            options={[
              { value: "BUY", text: t("Buy"), tone: "buy" },
              { value: "SELL", text: t("Sell"), tone: "sell" },
            ]}
          />
          {terms.isHedge && (
            <Choice
              label={t("Effect")}
              value={ticket.effect}
              onChange={(effect) => edit({ effect })}
              options={[
                { value: "OPEN", text: ticket.side === "BUY" ? t("Open long") : t("Open short") },
                { value: "CLOSE", text: ticket.side === "BUY" ? t("Close short") : t("Close long") },
              ]}
            />
          )}
          <Choice label={t("Order type")} value={ticket.kind} onChange={(kind) => edit({ kind })} options={kinds} />
          <TicketFields ticket={ticket} terms={terms} errors={errors} onChange={edit} />
          <EstimateRows costs={input === undefined ? undefined : order.costs} most={order.most} instrument={instrument} />
          <Errors errors={errors} shown={FIELDS} />
          {asked === "lost" && <LineWarning />}
          {asked !== undefined && asked !== "lost" && (
            <p className="warning" role="alert">
              {questionText(asked, `${amount(order.confirmAbove)} ${instrument?.quoteCoin ?? ""}`)} {t("Press again to send it.")}
            </p>
          )}
          <button
            type="submit"
            className={ticket.side === "BUY" ? "buy-button" : "sell-button"}
            disabled={input === undefined || isBusy}
            onPointerEnter={() => hold(true)}
            onPointerLeave={() => hold(false)}
            onFocus={() => hold(true)}
            onBlur={() => hold(false)}
          >
            {asked === undefined ? "" : t("Yes, ")}
            {titleOf(ticket, terms)}
            {isLost && <small>{t("when the line is back")}</small>}
          </button>
        </form>
      ) : (
        <Forbidden scope="trade" />
      )}
    </Panel>
  );
}

/** What has to be confirmed. */
function questionText(question: Exclude<Question, "lost">, value: string): string {
  switch (question) {
    case "large":
      return t("This market order is worth more than {value}.", { value });
    case "crossing":
      return t("This limit order would trade at once, and is worth more than {value}.", { value });
  }
}

/** Spot of a unified account has no trigger orders. */
const kindsOf = (category: Category, mode: "CLASSIC" | "UNIFIED" | null) => [
  { value: "LIMIT" as const, text: t("Limit") },
  { value: "MARKET" as const, text: t("Market") },
  ...(futuresOf(category) !== undefined || (category === "SPOT" && mode === "CLASSIC")
    ? [{ value: "TPSL" as const, text: "TP / SL" }]
    : []),
];
