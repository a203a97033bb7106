import type { GraphError } from "@exchange-graph/client";
import { type ReactNode, useState } from "react";
import { amount, isPositive, words } from "../../format/format.js";
import { PlaceMany, PlacePlan } from "../../graph/mutations.js";
import { useIsLost } from "../../graph/session.js";
import { submit } from "../../graph/writes.js";
import { t } from "../../text/text.js";
import buttons from "../../ui/button.module.css";
import { Choice, Field, Select } from "../../ui/controls.js";
import { Errors, errorAt } from "../../ui/errors.js";
import figures from "../../ui/figures.module.css";
import form from "../../ui/form.module.css";
import { LineWarning } from "../../ui/lineWarning.js";
import { useQuestion } from "../../ui/useQuestion.js";
import { futuresOf } from "../market.js";
import { EstimateRows } from "./estimateRows.js";
import { closedBy, scaleOf, strategyRequest } from "./planInput.js";
import { averageOf, type Part } from "./scale.js";
import { type FieldRow, fieldsOf, strategiesOf, type Values } from "./strategies.js";
import styles from "./ticket.module.css";
import { ReduceOnly } from "./ticketFields.js";
import { qtyOf } from "./ticketInput.js";
import type { Terms, Ticket } from "./ticketState.js";
import { useHold } from "./useHold.js";
import type { OrderProps } from "./useOrder.js";
import { usePreview } from "./usePreview.js";

interface StrategyProps {
  readonly ticket: Ticket;
  readonly terms: Terms;
  readonly mode: "CLASSIC" | "UNIFIED" | null;
  /** Side, effect and order type, which it has in common with other orders. */
  readonly head: (terms: Terms) => ReactNode;
  readonly onChange: (part: Partial<Ticket>) => void;
  readonly onPlaced: OrderProps["onPlaced"];
}

/** Composes a strategy order: checks it by dry runs, shows what it will do, and places it. */
export function StrategyForm({ ticket, terms, mode, head, onChange, onPlaced }: StrategyProps) {
  const { market, instrument } = terms;
  const strategies = strategiesOf(market.category, mode);
  const { values } = ticket;
  const strategy = strategies.find(({ value }) => value === ticket.strategy)?.value ?? strategies[0]?.value ?? "scale";
  const [shownQuestion, showQuestion] = useQuestion<string>();
  const [isBusy, setBusy] = useState(false);
  /** Why the exchange, or the gateway, has refused the ticket as it was. */
  const [refused, setRefused] = useState<{ readonly of: Ticket; readonly errors: readonly GraphError[] }>();
  /** Accepted orders of a scale of which others were refused. */
  const [accepted, setAccepted] = useState<string>();
  const isLost = useIsLost();
  const fields = fieldsOf(strategy, market.category, mode, instrument?.quoteCoin ?? "").filter(
    ({ isShown }) => isShown?.(values) !== false,
  );
  const request = strategyRequest(strategy, fields, ticket, terms);
  const parts = strategy === "scale" ? scaleOf(ticket, terms) : undefined;
  const preview = usePreview(request, { scope: "", isTyped: true }, nothing);
  const errors = refused?.of === ticket ? refused.errors : preview.errors;
  const { held, on } = useHold<readonly GraphError[]>();
  const atFields = held ?? errors;
  // Without the explanation in brackets.
  const name = strategies.find(({ value }) => value === strategy)?.text.replace(/ \(.*/, "") ?? "";
  const qty = qtyOf(ticket, terms);
  const sized = `${qty === undefined ? "" : `${amount(qty)} `}${market.symbol}`;
  const title =
    strategy === "tpsl"
      ? t("Exits of {sized} {side}", { sized, side: words(closedBy(ticket)).toLowerCase() })
      : `${words(ticket.side)} ${sized}, ${name}`;
  const isConfirming = request !== undefined && shownQuestion === JSON.stringify(request);

  const edit = (part: Values) => {
    setAccepted(undefined);
    showQuestion();
    onChange({ values: { ...values, ...part } });
  };
  const send = async () => {
    if (request === undefined || isBusy) return;
    if (!isConfirming) {
      showQuestion(JSON.stringify(request));
      return;
    }
    showQuestion();
    setBusy(true);
    const { outcome, errors, accepted } = await sent(title, request);
    setBusy(false);
    setAccepted(outcome === "accepted" ? undefined : accepted);
    if (outcome === "rejected") setRefused({ of: ticket, errors });
    else onPlaced(ticket.size);
  };
  return (
    <form
      className={`${form.form} ${styles.order}`}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {/* Exits close a position, in hedge mode too. */}
      {head(strategy === "tpsl" ? { ...terms, isHedge: false } : terms)}
      <Select
        label={t("Kind of strategy")}
        value={strategy}
        onChange={(value) => onChange({ strategy: strategies.find((one) => one.value === value)?.value, values: {} })}
        options={strategies}
      />
      {fields.map((row) => (
        <StrategyField key={row.name} row={row} terms={terms} values={values} errors={atFields} onChange={edit} />
      ))}
      <SizeField ticket={ticket} terms={terms} errors={atFields} isOptional={strategy === "tpsl"} onChange={onChange} />
      {futuresOf(market.category) !== undefined && strategy !== "tpsl" && (
        <ReduceOnly ticket={ticket} terms={terms} onChange={onChange} />
      )}
      {parts !== undefined && <ScaleRows parts={parts} instrument={instrument} />}
      {strategy !== "tpsl" && <EstimateRows costs={preview.costs} most={null} instrument={instrument} />}
      {accepted !== undefined && (
        <p className={form.warning} role="alert">
          {t("{accepted} orders were accepted, and are among the open orders.", { accepted })}
        </p>
      )}
      {isConfirming && (isLost ? <LineWarning /> : <Question title={title} />)}
      <button
        type="submit"
        className={ticket.side === "BUY" ? buttons.buy : buttons.sell}
        disabled={request === undefined}
        aria-disabled={isBusy}
        {...on(atFields)}
      >
        {isConfirming ? t("Yes, ") : ""}
        {title}
        {isLost && <small> {t("when the line is back")}</small>}
      </button>
      {/* Those of a dry run come by themselves: above the button they would move it. */}
      <Errors
        errors={errors}
        shown={[...fields.flatMap(({ paths }) => paths), "qty"].filter(
          (path) => errorAt(atFields, path) === errorAt(errors, path),
        )}
      />
    </form>
  );
}

const nothing = (): void => undefined;

/** Sends it. `accepted`: how many orders of a scale were accepted. */
async function sent(title: string, request: NonNullable<ReturnType<typeof strategyRequest>>) {
  if (request.as === "plan") return { ...(await submit(title, PlacePlan, request.input)), accepted: undefined };
  const { outcome, errors, payload } = await submit(title, PlaceMany, request.input);
  const orders = payload?.orders ?? [];
  const count = orders.filter((order) => order.outcome === "ACCEPTED").length;
  return { outcome, errors, accepted: count === 0 ? undefined : `${count} / ${orders.length}` };
}

/** The exchange carries it out by itself, so it always has to be confirmed. */
const Question = ({ title }: { readonly title: string }) => (
  <p className={form.warning} role="alert">
    {t("The exchange carries this out by itself: {title}. Press again to send it.", { title })}
  </p>
);

interface FieldProps {
  readonly row: FieldRow;
  readonly terms: Terms;
  readonly values: Values;
  readonly errors: readonly GraphError[];
  readonly onChange: (part: Values) => void;
}

function StrategyField({ row, terms: { instrument }, values, errors, onChange }: FieldProps) {
  const { name, label, unit, options, paths } = row;
  const error = paths.map((path) => errorAt(errors, path)).find((text) => text !== undefined);
  const value = values[name] ?? "";
  if (options !== undefined)
    return <Select label={label} value={value} onChange={(text) => onChange({ [name]: text })} options={options} error={error} />;
  const sign = value === "" || isPositive(value) ? undefined : t("It must be above zero");
  const coin = unit === "quote" ? instrument?.quoteCoin : unit === "base" ? instrument?.baseCoin : unit;
  return (
    <Field
      label={label}
      value={value}
      onChange={(text) => onChange({ [name]: text })}
      unit={coin}
      error={sign ?? error}
      isDecimal
    />
  );
}

interface SizeProps {
  readonly ticket: Ticket;
  readonly terms: Terms;
  readonly errors: readonly GraphError[];
  readonly isOptional: boolean;
  readonly onChange: (part: Partial<Ticket>) => void;
}

function SizeField({ ticket, terms, errors, isOptional, onChange }: SizeProps) {
  const { instrument } = terms;
  const isValue = ticket.by === "value";
  return (
    <div className={styles.size}>
      <Choice
        label={t("Size by")}
        value={isValue ? "value" : "qty"}
        onChange={(by) => onChange({ by, size: "" })}
        options={[
          { value: "qty", text: t("Quantity") },
          { value: "value", text: t("Value") },
        ]}
      />
      <Field
        label={isValue ? t("Value") : isOptional ? t("Quantity (default: the whole position)") : t("Quantity")}
        id="ticket-size"
        value={ticket.size}
        onChange={(size) => onChange({ size })}
        unit={isValue ? instrument?.quoteCoin : instrument?.baseCoin}
        error={errorAt(errors, "qty")}
        hint={isValue ? `${amount(qtyOf(ticket, terms))} ${instrument?.baseCoin ?? ""}` : undefined}
        isDecimal
      />
    </div>
  );
}

interface ScaleProps {
  readonly parts: readonly Part[];
  readonly instrument: Terms["instrument"];
}

/** The first and the last order of a scale, and its average price. */
const ScaleRows = ({ parts, instrument }: ScaleProps) => (
  <dl className={figures.rows}>
    {[parts[0], parts.at(-1)].map((part, at) => (
      <div key={at === 0 ? "first" : "last"}>
        <dt>{at === 0 ? t("First order") : t("Last order")}</dt>
        <dd>
          {amount(part?.qty)} @ {amount(part?.price, instrument?.precision?.price)}
        </dd>
      </div>
    ))}
    <div>
      <dt>{t("Average price")}</dt>
      <dd>
        {amount(averageOf(parts, 12), instrument?.precision?.price)} {instrument?.quoteCoin}
      </dd>
    </div>
  </dl>
);
