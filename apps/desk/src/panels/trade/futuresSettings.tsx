import { isDecimal } from "@exchange-graph/client";
import { useState } from "react";
import { amount, words } from "../../format/format.js";
import { graphql, type ResultOf } from "../../graph/document.js";
import { SetHoldMode, SetLeverage, SetMarginMode } from "../../graph/mutations.js";
import { submit } from "../../graph/writes.js";
import { t } from "../../text/text.js";
import { Choice, Field } from "../../ui/controls.js";
import { errorAt } from "../../ui/errors.js";
import { WriteForm } from "../../ui/writeForm.js";
import type { Futures } from "../market.js";
import type { Instrument } from "./instrument.js";

export const FuturesSettingsOf = graphql(`
  query FuturesSettingsOf($account: String, $category: FuturesCategoryInput!, $symbol: String!) {
    account(name: $account) {
      futuresSettings(category: $category, symbol: $symbol) {
        symbol
        holdMode
        marginMode
        leverage
        crossedMarginLeverage
        isolatedLongLeverage
        isolatedShortLeverage
      }
    }
  }
`);

export type Settings = NonNullable<NonNullable<ResultOf<typeof FuturesSettingsOf>["account"]>["futuresSettings"]>;

interface Props {
  readonly account: string;
  readonly category: Futures;
  readonly symbol: string;
  readonly settings: Settings | undefined;
  readonly instrument: Instrument | undefined;
}

/** The current leverage, from the field that has it. */
export const leverageOf = (settings: Settings | undefined): string | null =>
  settings?.leverage ?? settings?.crossedMarginLeverage ?? settings?.isolatedLongLeverage ?? null;

/** Leverage, margin mode and position mode of the market: each opens its dialog. */
export function FuturesModes(props: Props) {
  const { settings } = props;
  const [asked, ask] = useState<"leverage" | "margin" | "hold">();
  const close = () => ask(undefined);
  return (
    <div className="modes">
      <button type="button" onClick={() => ask("margin")} title={t("Margin mode")}>
        {settings?.marginMode ? words(settings.marginMode) : t("Margin mode")}
      </button>
      <button type="button" onClick={() => ask("leverage")} title={t("Leverage")}>
        {leverageOf(settings) === null ? t("Leverage") : `${amount(leverageOf(settings))}×`}
      </button>
      <button type="button" onClick={() => ask("hold")} title={t("Position mode")}>
        {settings?.holdMode === "HEDGE_MODE"
          ? t("Hedge")
          : settings?.holdMode === "ONE_WAY_MODE"
            ? t("One-way")
            : t("Position mode")}
      </button>
      {asked === "leverage" && <Leverage {...props} onClose={close} />}
      {asked === "margin" && <Margin {...props} onClose={close} />}
      {asked === "hold" && <Hold {...props} onClose={close} />}
    </div>
  );
}

type DialogProps = Props & { readonly onClose: () => void };

function Leverage({ account, category, symbol, settings, instrument, onClose }: DialogProps) {
  const [leverage, setLeverage] = useState(leverageOf(settings) ?? "");
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

function Margin({ account, category, symbol, settings, onClose }: DialogProps) {
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

function Hold({ account, category, settings, onClose }: DialogProps) {
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
        submit(t("{account} to {value} mode", { account, value: holdMode === "HEDGE_MODE" ? "hedge" : "one-way" }), SetHoldMode, {
          account,
          category,
          holdMode,
        })
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
