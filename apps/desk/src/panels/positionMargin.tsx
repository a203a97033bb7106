import { compareDecimals, isDecimal } from "@exchange-graph/client";
import { useState } from "react";
import { amountIn } from "../format/format.js";
import { AdjustMargin } from "../graph/mutations.js";
import { submit } from "../graph/writes.js";
import { t } from "../text/text.js";
import { Choice, Field } from "../ui/controls.js";
import { errorAt } from "../ui/errors.js";
import { WriteForm } from "../ui/writeForm.js";
import { CLOSED } from "./closed.js";
import type { AboutPosition } from "./closePosition.js";
import { futuresOf } from "./market.js";

/** Adds margin to an isolated position, or removes it. */
export function PositionMargin({ account, position, isClosed, onClose }: AboutPosition) {
  const [way, setWay] = useState<"Add" | "Take">("Add");
  const [value, setValue] = useState("");
  const { symbol, posSide, marginCoin } = position;
  const category = futuresOf(position.category);
  if (category === undefined || posSide === "UNRECOGNIZED") return null;
  return (
    <WriteForm
      title={t("Margin of {symbol}", { symbol })}
      verb={way === "Add" ? t("Add margin") : t("Take margin out")}
      isReady={isDecimal(value) && compareDecimals(value, "0") > 0}
      fields={["amount"]}
      ended={isClosed ? CLOSED : undefined}
      onClose={onClose}
      send={() =>
        submit(
          way === "Add"
            ? t("Add {value} {marginCoin} to {symbol}", { value, marginCoin, symbol })
            : t("Take {value} {marginCoin} from {symbol}", { value, marginCoin, symbol }),
          AdjustMargin,
          {
            account,
            category,
            symbol,
            posSide,
            marginCoin,
            amount: way === "Add" ? value : `-${value}`,
          },
        )
      }
    >
      {(errors) => (
        <>
          <Choice
            label={t("Direction")}
            value={way}
            onChange={setWay}
            options={[
              { value: "Add", text: t("Add") },
              { value: "Take", text: t("Take out") },
            ]}
          />
          <Field
            label={t("Amount")}
            value={value}
            onChange={setValue}
            unit={marginCoin}
            error={errorAt(errors, "amount")}
            hint={t("Now {value}", { value: amountIn(marginCoin, position.margin, 4) })}
            isDecimal
          />
        </>
      )}
    </WriteForm>
  );
}
