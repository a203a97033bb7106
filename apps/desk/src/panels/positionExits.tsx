import { isDecimal } from "@exchange-graph/client";
import { useState } from "react";
import { amount, words } from "../format/format.js";
import { PlaceTpsl } from "../graph/mutations.js";
import { submit } from "../graph/writes.js";
import { t } from "../text/text.js";
import { Choice, Field } from "../ui/controls.js";
import { errorAt } from "../ui/errors.js";
import { WriteForm } from "../ui/writeForm.js";
import { CLOSED } from "./closed.js";
import type { AboutPosition } from "./closePosition.js";
import { sideFault } from "./exitSide.js";
import { futuresOf } from "./market.js";

/** Places a take-profit or a stop-loss for the whole position. */
export function PositionExits({ account, position, isClosed, onClose }: AboutPosition) {
  const [planType, setPlanType] = useState<"POS_PROFIT" | "POS_LOSS">("POS_PROFIT");
  const [triggerPrice, setTriggerPrice] = useState("");
  const [triggerBy, setTriggerBy] = useState<"MARK" | "MARKET">("MARK");
  const { symbol, posSide, instrument, markPrice } = position;
  const category = futuresOf(position.category);
  if (category === undefined || posSide === "UNRECOGNIZED") return null;
  const isAbove = (posSide === "LONG") === (planType === "POS_PROFIT");
  const wrongSide = triggerBy === "MARK" && markPrice !== null ? sideFault(triggerPrice, isAbove, markPrice) : undefined;
  return (
    <WriteForm
      title={t("Take profit or stop loss of {symbol} {value}", { symbol, value: words(posSide).toLowerCase() })}
      verb={t("Place it")}
      isReady={isDecimal(triggerPrice)}
      fields={["triggerPrice"]}
      ended={isClosed ? CLOSED : undefined}
      onClose={onClose}
      send={() =>
        submit(
          t("{value} {symbol} at {triggerPrice}", {
            value: planType === "POS_PROFIT" ? t("Take profit") : t("Stop loss"),
            symbol,
            triggerPrice,
          }),
          PlaceTpsl,
          {
            account,
            category,
            symbol,
            posSide,
            planType,
            triggerPrice,
            triggerBy,
          },
        )
      }
    >
      {(errors) => (
        <>
          <Choice
            label={t("Kind")}
            value={planType}
            onChange={setPlanType}
            options={[
              { value: "POS_PROFIT", text: t("Take profit") },
              { value: "POS_LOSS", text: t("Stop loss") },
            ]}
          />
          <Field
            label={t("Trigger price")}
            value={triggerPrice}
            onChange={setTriggerPrice}
            unit={instrument?.quoteCoin}
            error={wrongSide ?? errorAt(errors, "triggerPrice")}
            hint={t("Mark {markPrice}. Closes the whole position at market", {
              markPrice: amount(markPrice, instrument?.precision?.price),
            })}
            isDecimal
          />
          <Choice
            label={t("Compared with")}
            value={triggerBy}
            onChange={setTriggerBy}
            options={[
              { value: "MARK", text: t("Mark price") },
              { value: "MARKET", text: t("Last price") },
            ]}
          />
        </>
      )}
    </WriteForm>
  );
}
