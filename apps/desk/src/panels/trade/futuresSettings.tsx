import { isDecimal } from "@exchange-graph/client";
import { useState } from "react";
import { amount, words } from "../../format/format.js";
import { graphql, type ResultOf } from "../../graph/document.js";
import { SetHoldMode, SetLeverage, SetMarginMode } from "../../graph/mutations.js";
import { submit } from "../../graph/writes.js";
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
      <button type="button" onClick={() => ask("margin")} title="Margin mode">
        {settings?.marginMode ? words(settings.marginMode) : "Margin mode"}
      </button>
      <button type="button" onClick={() => ask("leverage")} title="Leverage">
        {leverageOf(settings) === null ? "Leverage" : `${amount(leverageOf(settings))}×`}
      </button>
      <button type="button" onClick={() => ask("hold")} title="Position mode">
        {settings?.holdMode === "HEDGE_MODE" ? "Hedge" : settings?.holdMode === "ONE_WAY_MODE" ? "One-way" : "Position mode"}
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
      title={`Leverage of ${symbol}`}
      verb="Set leverage"
      isReady={isDecimal(leverage)}
      fields={["leverage"]}
      onClose={onClose}
      send={() => submit(`Leverage of ${symbol} to ${leverage}×`, SetLeverage, { account, category, symbol, leverage })}
    >
      {(errors) => (
        <Field
          label="Leverage"
          value={leverage}
          onChange={setLeverage}
          unit="×"
          error={errorAt(errors, "leverage")}
          hint={`From ${amount(min)} to ${amount(max)}`}
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
      title={`Margin mode of ${symbol}`}
      verb="Set margin mode"
      isReady
      fields={[]}
      onClose={onClose}
      send={() =>
        submit(`${symbol} to ${words(marginMode).toLowerCase()} margin`, SetMarginMode, { account, category, symbol, marginMode })
      }
    >
      {() => (
        <Choice
          label="Margin mode"
          value={marginMode}
          onChange={setMarginMode}
          options={[
            { value: "CROSSED", text: "Crossed" },
            { value: "ISOLATED", text: "Isolated" },
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
      title="Position mode"
      verb="Set position mode"
      isReady
      fields={[]}
      onClose={onClose}
      send={() =>
        submit(`${account} to ${holdMode === "HEDGE_MODE" ? "hedge" : "one-way"} mode`, SetHoldMode, {
          account,
          category,
          holdMode,
        })
      }
    >
      {() => (
        <Choice
          label="Position mode"
          value={holdMode}
          onChange={setHoldMode}
          options={[
            { value: "ONE_WAY_MODE", text: "One-way" },
            { value: "HEDGE_MODE", text: "Hedge" },
          ]}
        />
      )}
    </WriteForm>
  );
}
