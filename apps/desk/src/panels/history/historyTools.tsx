import { useState } from "react";
import { t } from "../../text/text.js";
import { Choice } from "../../ui/controls.js";
import { ExportButton } from "../exportButton.js";
import styles from "./historyTools.module.css";
import { type Days, RANGES, type Range } from "./ranges.js";
import { Rebuilding } from "./rebuilding.js";
import type { Scope } from "./useWorths.js";

interface Props {
  readonly scope: Scope;
  readonly range: Range;
  readonly account: string;
  /** Whether there are several accounts. */
  readonly isPlural: boolean;
  readonly today: string;
  readonly onChange: (scope: Scope, range: Range) => void;
}

/** Choices of the whole page: which accounts, and which range of time. */
export function HistoryTools({ scope, range, account, isPlural, today, onChange }: Props) {
  const own = typeof range === "string" ? undefined : range;
  const [isOpen, open] = useState(false);
  const options = [
    ...RANGES.map(({ value, text }) => ({ value: value as string, text })),
    { value: "own", text: t("Own range") },
  ];
  const chosen = typeof range === "string" && !isOpen ? range : "own";
  return (
    <div className={styles.tools}>
      {isPlural && (
        <Choice
          label={t("Accounts")}
          value={scope}
          onChange={(value) => onChange(value, range)}
          options={[
            { value: "one", text: account },
            { value: "all", text: t("All together") },
            { value: "each", text: t("Compared") },
          ]}
        />
      )}
      <Choice
        label={t("Range")}
        value={chosen}
        options={options}
        onChange={(value) => {
          const next = RANGES.find((one) => one.value === value);
          open(next === undefined);
          if (next !== undefined) onChange(scope, next.value);
        }}
      />
      {(isOpen || own !== undefined) && (
        <OwnRange
          key={own === undefined ? "" : `${own.first} ${own.last}`}
          days={own}
          today={today}
          onChange={(days) => onChange(scope, days)}
        />
      )}
      <ExportButton />
      <Rebuilding account={account} />
    </div>
  );
}

interface OwnProps {
  readonly days: Days | undefined;
  readonly today: string;
  readonly onChange: (days: Days) => void;
}

/** Two days: both belong to the range. */
function OwnRange({ days, today, onChange }: OwnProps) {
  const [first, setFirst] = useState(days?.first ?? "");
  const [last, setLast] = useState(days?.last ?? today);
  const isWrong = first !== "" && last !== "" && first > last;
  return (
    <form
      className={styles.ownRange}
      onSubmit={(event) => {
        event.preventDefault();
        if (first !== "" && last !== "" && !isWrong) onChange({ first, last });
      }}
    >
      <label>
        {t("From")} <input type="date" value={first} max={today} required onChange={(event) => setFirst(event.target.value)} />
      </label>
      <label>
        {t("Until")} <input type="date" value={last} max={today} required onChange={(event) => setLast(event.target.value)} />
      </label>
      <button type="submit" disabled={isWrong || first === "" || last === ""}>
        {t("Show")}
      </button>
      {isWrong && <span className="down">{t("The first day is after the last one")}</span>}
    </form>
  );
}
