import { isDecimal } from "@exchange-graph/client";
import { useState } from "react";
import { amount, words } from "../../format/format.js";
import { SetHoldMode, SetLeverage, SetMarginMode } from "../../graph/mutations.js";
import { submit } from "../../graph/writes.js";
import { useAccounts } from "../../live/accounts.js";
import { t } from "../../text/text.js";
import { Choice, Field } from "../../ui/controls.js";
import { errorAt } from "../../ui/errors.js";
import { WriteForm } from "../../ui/writeForm.js";
import { type FuturesProps, leveragesOf } from "./futures.js";

/** The dialogs of a market's settings of futures. */

type DialogProps = FuturesProps & { readonly onClose: () => void };

export function Leverage({ account, category, symbol, settings, instrument, onClose }: DialogProps) {
  const { long, short } = leveragesOf(settings);
  const [leverage, setLeverage] = useState((long === short && long) || "");
  const { min, max } = instrument?.leverage ?? { min: null, max: null };
  return (
    <WriteForm
      title={t("Leverage of {symbol}", { symbol })}
      verb={t("Set leverage")}
      isReady={isDecimal(leverage)}
      fields={["leverage"]}
      onClose={onClose}
      send={() =>
        submit(t("Leverage of {symbol} to {leverage}×", { symbol, leverage }), SetLeverage, {
          account,
          category,
          symbol,
          leverage,
        })
      }
    >
      {(errors) => (
        <Field
          label={t("Leverage")}
          value={leverage}
          onChange={setLeverage}
          unit="×"
          error={errorAt(errors, "leverage")}
          hint={t("From {min} to {max}", { min: amount(min), max: amount(max) })}
          isDecimal
        />
      )}
    </WriteForm>
  );
}

export function Margin({ account, category, symbol, settings, onClose }: DialogProps) {
  const [marginMode, setMarginMode] = useState<"CROSSED" | "ISOLATED">(
    settings?.marginMode === "ISOLATED" ? "ISOLATED" : "CROSSED",
  );
  return (
    <WriteForm
      title={t("Margin mode of {symbol}", { symbol })}
      verb={t("Set margin mode")}
      isReady
      fields={[]}
      onClose={onClose}
      send={() =>
        submit(t("{symbol} to {value} margin", { symbol, value: words(marginMode).toLowerCase() }), SetMarginMode, {
          account,
          category,
          symbol,
          marginMode,
        })
      }
    >
      {() => (
        <Choice
          label={t("Margin mode")}
          value={marginMode}
          onChange={setMarginMode}
          options={[
            { value: "CROSSED", text: t("Crossed") },
            { value: "ISOLATED", text: t("Isolated") },
          ]}
        />
      )}
    </WriteForm>
  );
}

/** A unified account has one position mode for all categories. */
export function Hold({ account, category, settings, onClose }: DialogProps) {
  const isClassic = useAccounts().current?.mode === "CLASSIC";
  const [holdMode, setHoldMode] = useState<"ONE_WAY_MODE" | "HEDGE_MODE">(
    settings?.holdMode === "HEDGE_MODE" ? "HEDGE_MODE" : "ONE_WAY_MODE",
  );
  return (
    <WriteForm
      title={t("Position mode")}
      verb={t("Set position mode")}
      isReady
      fields={[]}
      onClose={onClose}
      send={() =>
        submit(
          t("{account} to {value} mode", { account, value: holdMode === "HEDGE_MODE" ? t("Hedge") : t("One-way") }),
          SetHoldMode,
          {
            account,
            ...(isClassic && { category }),
            holdMode,
          },
        )
      }
    >
      {() => (
        <Choice
          label={t("Position mode")}
          value={holdMode}
          onChange={setHoldMode}
          options={[
            { value: "ONE_WAY_MODE", text: t("One-way") },
            { value: "HEDGE_MODE", text: t("Hedge") },
          ]}
        />
      )}
    </WriteForm>
  );
}
