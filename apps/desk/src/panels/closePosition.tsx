import { compareDecimals, type GraphError, isDecimal, multiplyDecimals, roundToStep, trimDecimal } from "@exchange-graph/client";
import { useState } from "react";
import { amount, isPositive, words } from "../format/format.js";
import { useIsLost } from "../graph/session.js";
import type { Position } from "../live/positions.js";
import { useSettings } from "../state/settings.js";
import { t } from "../text/text.js";
import buttons from "../ui/button.module.css";
import { Choice, Field } from "../ui/controls.js";
import { Dialog } from "../ui/dialog.js";
import dialog from "../ui/dialog.module.css";
import { Ended } from "../ui/ended.js";
import { Errors, errorAt } from "../ui/errors.js";
import form from "../ui/form.module.css";
import { LineWarning } from "../ui/lineWarning.js";
import { useIsGone } from "../ui/useIsGone.js";
import { useQuestion } from "../ui/useQuestion.js";
import { closing } from "./close.js";
import { CLOSED } from "./closed.js";

/** Properties of a dialog for a position. */
export interface AboutPosition {
  readonly account: string;
  /** As it is now; once it is closed, as it was last. */
  readonly position: Position;
  readonly isClosed: boolean;
  readonly onClose: () => void;
}

const SHARES = ["0.25", "0.5", "0.75", "1"] as const;

/** Closes a position, all of it or a part, at market or at a price. Large ones require a confirmation. */
export function ClosePosition({ account, position, isClosed, onClose }: AboutPosition) {
  const { confirmAbove } = useSettings();
  const [qty, setQty] = useState(position.qty ?? "");
  const [orderType, setOrderType] = useState<"MARKET" | "LIMIT">("MARKET");
  const [price, setPrice] = useState(position.markPrice ?? "");
  const [isSure = false, ask] = useQuestion<boolean>();
  const [errors, setErrors] = useState<readonly GraphError[]>([]);
  const [isBusy, setBusy] = useState(false);
  const { symbol, posSide, instrument, markPrice } = position;
  const value = markPrice !== null && isDecimal(qty) ? multiplyDecimals(markPrice, qty) : null;
  const isGone = useIsGone();
  const isLost = useIsLost();
  const isLarge = orderType === "MARKET" && value !== null && compareDecimals(value, confirmAbove) > 0;

  // What was refused, or confirmed, was another order.
  const edited = () => {
    setErrors([]);
    ask(false);
  };
  const shareOf = (part: string): string => {
    if (position.qty === null) return "";
    const step = instrument?.orderSize.step;
    const exact = multiplyDecimals(position.qty, part);
    return trimDecimal(part === "1" || !step ? exact : roundToStep(exact, step));
  };
  // The order of this dialog may close it before its answer arrives.
  const hasEnded = isClosed && !isBusy;
  const isTooMuch = position.qty !== null && isDecimal(qty) && compareDecimals(qty, position.qty) > 0;
  const send = async () => {
    if (isBusy) return;
    if ((isLarge || isLost) && !isSure) {
      ask(true);
      return;
    }
    setBusy(true);
    const result = await closing(account, position, qty, orderType === "LIMIT" ? price : undefined);
    setBusy(false);
    if (result?.outcome === "rejected") setErrors(result.errors);
    else if (!isGone.current) onClose();
  };
  return (
    <Dialog title={t("Close {symbol} {value}", { symbol, value: words(posSide).toLowerCase() })} onClose={onClose}>
      <form
        className={form.form}
        onInput={edited}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Choice
          label={t("Order type")}
          value={orderType}
          onChange={setOrderType}
          options={[
            { value: "MARKET", text: t("Market") },
            { value: "LIMIT", text: t("Limit") },
          ]}
        />
        {orderType === "LIMIT" && (
          <Field
            label={t("Price")}
            value={price}
            onChange={setPrice}
            unit={instrument?.quoteCoin}
            error={errorAt(errors, "price")}
            isDecimal
          />
        )}
        <Field
          label={t("Quantity")}
          value={qty}
          onChange={setQty}
          unit={instrument?.baseCoin}
          error={
            isTooMuch && !isBusy && !isClosed
              ? t("The position has {qty} left", { qty: amount(position.qty) })
              : errorAt(errors, "qty")
          }
          hint={value === null ? undefined : t("Worth {value} at mark", { value: amount(value, 2) })}
          isDecimal
        />
        <div className={form.shares}>
          {SHARES.map((part) => (
            <button
              key={part}
              type="button"
              disabled={!isPositive(shareOf(part))}
              onClick={() => {
                edited();
                setQty(shareOf(part));
              }}
            >
              {trimDecimal(multiplyDecimals(part, "100"))} %
            </button>
          ))}
        </div>
        <Errors errors={errors} shown={["qty", "price"]} />
        {hasEnded && <Ended>{CLOSED}</Ended>}
        {isSure && isLost && <LineWarning />}
        {isSure && isLarge && (
          <p className={form.warning} role="alert">
            {t("This is a market order of more than")} {amount(confirmAbove)}
            {t(". Press again to send it.")}
          </p>
        )}
        <div className={dialog.end}>
          <button type="button" onClick={onClose}>
            {t("Keep it")}
          </button>
          <button
            type="submit"
            className={buttons.danger}
            disabled={hasEnded || isTooMuch || !isPositive(qty) || (orderType === "LIMIT" && !isPositive(price))}
            aria-disabled={isBusy}
          >
            {isSure
              ? t("Yes, close {value}", { value: orderType === "MARKET" ? t("at market") : t("at this price") })
              : t("Close position")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
