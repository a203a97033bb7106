import { type ReactNode, useId, useState } from "react";
import { complaintOf, localDecimal, typedDecimal, unreadDecimal } from "../format/typed.js";
import styles from "./controls.module.css";
import figures from "./figures.module.css";
import { sideways } from "./sideways.js";

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly text: string; readonly tone?: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly className?: string | undefined;
}

/** A choice of a few values, side by side. */
export function Choice<Value extends string>({ label, options, value, onChange, className = "" }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset className={`${styles.choice} ${className}`}>
      <legend className="hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} data-tone={option.tone}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.text}
        </label>
      ))}
    </fieldset>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Shown after the number, for example the coin. */
  readonly unit?: string | null | undefined;
  /** Error message of the field. */
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  readonly type?: "text" | "password" | "email" | "date";
  readonly isDecimal?: boolean;
  readonly placeholder?: string;
  readonly isDisabled?: boolean;
  readonly id?: string;
}

/** A field with its label, its unit, and its error. */
export function Field({ label, value, onChange, unit, error: given, hint, type = "text", isDecimal, ...rest }: FieldProps) {
  const made = useId();
  const id = rest.id ?? made;
  // The number may be typed in several forms: the field keeps the form, and passes on the number.
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: string }>();
  const shown = typed?.value === value ? typed.text : isDecimal ? localDecimal(value) : value;
  const isNoNumber = isDecimal === true && shown.trim() !== "" && typedDecimal(shown, unit) === undefined;
  const error = isNoNumber ? complaintOf(shown.trim()) : given;
  return (
    <div className={`${styles.field} ${error === undefined ? "" : styles.wrong}`}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.input}>
        <input
          id={id}
          type={type}
          value={shown}
          autoComplete="off"
          spellCheck={false}
          inputMode={isDecimal ? "decimal" : undefined}
          className={isDecimal ? "number" : ""}
          placeholder={rest.placeholder}
          disabled={rest.isDisabled}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined && hint === undefined ? undefined : `${id}-words`}
          onChange={({ target: { value: text } }) => {
            const read = isDecimal ? (typedDecimal(text, unit) ?? unreadDecimal(text)) : text;
            setTyped({ text, value: read });
            onChange(read);
          }}
        />
        {unit && <span className={styles.unit}>{unit}</span>}
      </span>
      {(error ?? hint) !== undefined && (
        <span id={`${id}-words`} className={error === undefined ? styles.hint : styles.error}>
          {error ?? hint}
        </span>
      )}
    </div>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly isLabelHidden?: boolean;
  readonly error?: string | undefined;
}

export function Select({ label, value, onChange, options, isLabelHidden, error }: SelectProps) {
  const id = useId();
  return (
    <div className={`${styles.field} ${error === undefined ? "" : styles.wrong}`}>
      <label htmlFor={id} className={isLabelHidden ? "hidden" : ""}>
        {label}
      </label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {error !== undefined && <span className={styles.error}>{error}</span>}
    </div>
  );
}

interface TabsProps<Value extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly value: Value; readonly text: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** Tabs of one panel; arrow keys move between them. */
export const Tabs = <Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) => (
  <div className={styles.tabs} role="tablist" aria-label={label}>
    {tabs.map((tab, at) => (
      <button
        key={tab.value}
        type="button"
        role="tab"
        aria-selected={tab.value === value}
        tabIndex={tab.value === value ? 0 : -1}
        onClick={() => onChange(tab.value)}
        onKeyDown={(event) => {
          const step = sideways(event.key, event.currentTarget);
          const to = (at + step + tabs.length) % tabs.length;
          const next = tabs[to];
          if (step === 0 || next === undefined) return;
          onChange(next.value);
          const target = event.currentTarget.parentElement?.children[to];
          if (target instanceof HTMLElement) target.focus();
        }}
      >
        {tab.text}
      </button>
    ))}
  </div>
);

/** A figure with its name. */
export const Figure = ({
  name,
  children,
  tone = "",
}: {
  readonly name: string;
  readonly children: ReactNode;
  readonly tone?: string;
}) => (
  <div className={figures.figure}>
    <dt>{name}</dt>
    <dd className={tone}>{children}</dd>
  </div>
);
