import type { GraphError } from "@exchange-graph/client";
import { amount } from "../../format/format.js";
import { t } from "../../text/text.js";
import { Choice, Field } from "../../ui/controls.js";
import { errorAt } from "../../ui/errors.js";
import form from "../../ui/form.module.css";
import { futuresOf } from "../market.js";
import { exitFault, exitSideFault, exitsOf } from "./bracket.js";
import ticketStyles from "./ticket.module.css";
import styles from "./ticketFields.module.css";
import { qtyOf, spends } from "./ticketInput.js";
import type { Terms, Ticket } from "./ticketState.js";

const SHARES = ["10", "25", "50", "75", "100"] as const;
const SIZE_LABELS = {
  qty: t("Quantity"),
  value: t("Value"),
  share: t("Share of what is available"),
  risk: t("Equity lost at the stop loss"),
};

interface Props {
  readonly ticket: Ticket;
  readonly terms: Terms;
  readonly errors: readonly GraphError[];
  readonly onChange: (part: Partial<Ticket>) => void;
}

/** Price, size, take-profit and stop-loss of an order, each with its errors. */
export const TicketFields = (props: Props) => (
  <>
    <PriceFields {...props} />
    <SizeFields {...props} />
    {futuresOf(props.terms.market.category) !== undefined && props.ticket.kind !== "TPSL" && <ExitFields {...props} />}
  </>
);

function PriceFields({ ticket, terms: { instrument, last }, errors, onChange }: Props) {
  return (
    <>
      {ticket.kind === "TPSL" && (
        <Field
          label={t("Trigger price")}
          value={ticket.triggerPrice}
          onChange={(triggerPrice) => onChange({ triggerPrice })}
          unit={instrument?.quoteCoin}
          error={errorAt(errors, "triggerPrice")}
          isDecimal
        />
      )}
      {ticket.kind !== "MARKET" && (
        <Field
          label={ticket.kind === "TPSL" ? t("Limit price (default: at market)") : t("Price")}
          id="ticket-price"
          value={ticket.price}
          onChange={(price) => onChange({ price })}
          unit={instrument?.quoteCoin}
          placeholder={ticket.kind === "LIMIT" ? amount(last, instrument?.precision?.price) : t("market")}
          error={errorAt(errors, "price") ?? errorAt(errors, "executePrice")}
          isDecimal
        />
      )}
      {ticket.kind === "LIMIT" && (
        <Choice
          label={t("Time in force")}
          value={ticket.tif}
          onChange={(tif) => onChange({ tif })}
          options={[
            { value: "GTC", text: "GTC" },
            { value: "POST_ONLY", text: t("Post only") },
            { value: "IOC", text: "IOC" },
            { value: "FOK", text: "FOK" },
          ]}
        />
      )}
    </>
  );
}

function SizeFields({ ticket, terms, errors, onChange }: Props) {
  const { instrument } = terms;
  const isSpending = spends(ticket, terms.market.category);
  // The loss at a stop is linear in the quantity, and in USDT, for these alone.
  const hasRisk = terms.market.category === "USDT_FUTURES" && ticket.kind !== "TPSL";
  return (
    <>
      <div className={ticketStyles.size}>
        <Choice
          label={t("Size by")}
          value={ticket.by}
          onChange={(by) => onChange({ by, size: "" })}
          options={[
            { value: "qty", text: t("Quantity") },
            { value: "value", text: t("Value") },
            { value: "share", text: t("Share") },
            ...(hasRisk ? [{ value: "risk" as const, text: t("Risk") }] : []),
          ]}
        />
        <Field
          label={SIZE_LABELS[ticket.by]}
          id="ticket-size"
          value={ticket.size}
          onChange={(size) => onChange({ size })}
          unit={ticket.by === "qty" ? instrument?.baseCoin : ticket.by === "value" ? instrument?.quoteCoin : "%"}
          error={errorAt(errors, "qty") ?? errorAt(errors, "quoteQty") ?? errorAt(errors, "size")}
          hint={sizeHint(ticket, terms, isSpending)}
          isDecimal
        />
      </div>
      <div className={form.shares}>
        {SHARES.map((share) => (
          <button key={share} type="button" onClick={() => onChange({ by: "share", size: share })}>
            {share} %
          </button>
        ))}
      </div>
    </>
  );
}

const EXITS_BY = [
  { value: "price", text: t("At") },
  { value: "percent", text: "%" },
  { value: "r", text: "R" },
] as const;

const EXIT_UNITS = {
  price: { takeProfit: "", stopLoss: "" },
  percent: { takeProfit: "%", stopLoss: "%" },
  r: { takeProfit: "R", stopLoss: "" },
} as const;

/** Take-profit and stop-loss, as prices, in percent of the entry, or as a multiple of the risk. */
function ExitFields({ ticket, terms, errors, onChange }: Props) {
  const { exitsBy } = ticket;
  const exits = exitsOf(ticket, terms);
  const decimals = terms.instrument?.precision?.price;
  const errorOf = (exit: "takeProfit" | "stopLoss") =>
    exitFault(exit, ticket, terms) ?? exitSideFault(exit, ticket, terms) ?? errorAt(errors, `${exit}.triggerPrice`);
  const at = (exit: "takeProfit" | "stopLoss") =>
    EXIT_UNITS[exitsBy][exit] === "" ? undefined : t("at {price}", { price: amount(exits[exit], decimals) });
  return (
    <>
      <div className={form.pair}>
        <Field
          label={t("Take profit")}
          value={ticket.takeProfit}
          onChange={(takeProfit) => onChange({ takeProfit })}
          unit={EXIT_UNITS[exitsBy].takeProfit}
          error={errorOf("takeProfit")}
          hint={at("takeProfit")}
          isDecimal
        />
        <Field
          label={t("Stop loss")}
          value={ticket.stopLoss}
          onChange={(stopLoss) => onChange({ stopLoss })}
          unit={EXIT_UNITS[exitsBy].stopLoss}
          error={errorOf("stopLoss")}
          hint={at("stopLoss")}
          isDecimal
        />
      </div>
      <div className={styles.exits}>
        <Choice
          label={t("Exits by")}
          value={exitsBy}
          onChange={(by) => onChange({ exitsBy: by, takeProfit: "", stopLoss: "" })}
          options={EXITS_BY}
        />
        <ReduceOnly ticket={ticket} terms={terms} onChange={onChange} />
      </div>
    </>
  );
}

/** In hedge mode an order names the position that it closes instead. */
export const ReduceOnly = ({ ticket, terms, onChange }: Pick<Props, "ticket" | "terms" | "onChange">) =>
  !terms.isHedge && (
    <label className={form.check}>
      <input type="checkbox" checked={ticket.reduceOnly} onChange={({ target }) => onChange({ reduceOnly: target.checked })} />
      {t("Reduce only")}
    </label>
  );

/** The limits of the market, and the quantity of a value or share. */
function sizeHint(ticket: Ticket, terms: Terms, isSpending: boolean): string {
  const { min, max, maxMarket } = terms.instrument?.orderSize ?? { min: null, max: null, maxMarket: null };
  const most = ticket.kind === "MARKET" ? (maxMarket ?? max) : max;
  const qty = isSpending ? undefined : qtyOf(ticket, terms);
  const coin = terms.instrument?.baseCoin ?? "";
  if (ticket.by === "risk" && qty === undefined) return t("The quantity follows from the stop loss below");
  if (ticket.by !== "qty" && qty !== undefined) return `${amount(qty)} ${coin}`;
  return t("From {min}{value} {coin}", {
    min: amount(min),
    value: most === null ? "" : t(" to {most}", { most: amount(most) }),
    coin,
  });
}
