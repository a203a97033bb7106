/** Rounding of a value between two steps. `down` is towards zero, `up` away from it; `nearest` rounds halves away from zero. */
export type Rounding = "down" | "up" | "nearest";

/** A decimal as a whole number of units of 10^-scale. */
interface Scaled {
  readonly units: bigint;
  readonly scale: number;
}

const FORM = /^([+-]?)(\d+)(?:\.(\d*))?$/;

/** Whether a text is a decimal number as the graph writes and accepts it. */
export const isDecimal = (text: string): boolean => /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text);

function scaled(text: string): Scaled {
  const [, sign, whole = "", fraction = ""] = FORM.exec(text) ?? [];
  if (sign === undefined) throw new TypeError(`not a decimal number: ${JSON.stringify(text)}`);
  const units = BigInt(whole + fraction);
  return { units: sign === "-" ? -units : units, scale: fraction.length };
}

const at = ({ units, scale }: Scaled, wanted: number): bigint => units * 10n ** BigInt(wanted - scale);

function textOf(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? "-" : ""}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ""}`;
}

function both(a: string, b: string): readonly [a: bigint, b: bigint, scale: number] {
  const [left, right] = [scaled(a), scaled(b)];
  const scale = Math.max(left.scale, right.scale);
  return [at(left, scale), at(right, scale), scale];
}

const divided = (units: bigint, by: bigint, rounding: Rounding): bigint => {
  const quotient: bigint = units / by;
  const rest = units % by;
  if (rest === 0n || rounding === "down") return quotient;
  const isFar = rounding === "up" || 2n * (rest < 0n ? -rest : rest) >= (by < 0n ? -by : by);
  const away: bigint = units < 0n === by < 0n ? 1n : -1n;
  return isFar ? quotient + away : quotient;
};

/**
 *
 * -1 if `a` is less than `b`, 0 if they are equal, 1 if it is greater.
 */
export function compareDecimals(a: string, b: string): -1 | 0 | 1 {
  const [left, right] = both(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The sum, with the larger number of decimals: `"0.10"` and `"1"` are `"1.10"`. */
export function addDecimals(a: string, b: string): string {
  const [left, right, scale] = both(a, b);
  return textOf(left + right, scale);
}

/** The difference, with the larger number of decimals. */
export function subtractDecimals(a: string, b: string): string {
  const [left, right, scale] = both(a, b);
  return textOf(left - right, scale);
}

/** The exact product. */
export function multiplyDecimals(a: string, b: string): string {
  const [left, right] = [scaled(a), scaled(b)];
  return textOf(left.units * right.units, left.scale + right.scale);
}

/** The quotient with this many decimals. */
export function divideDecimals(a: string, b: string, digits: number, rounding: Rounding = "down"): string {
  const [left, right] = both(a, b);
  if (right === 0n) throw new RangeError("division by zero");
  return textOf(divided(left * 10n ** BigInt(digits), right, rounding), digits);
}

/** The nearest multiple of `step` (a tick size or quantity step), with the decimals of the step. */
export function roundToStep(value: string, step: string, rounding: Rounding = "down"): string {
  const [units, size, scale] = both(value, step);
  if (size <= 0n) throw new RangeError(`a step must be greater than zero: ${step}`);
  const rounded = divided(units, size, rounding) * size;
  const digits = scaled(step).scale;
  return textOf(rounded / 10n ** BigInt(scale - digits), digits);
}

/** Whether a value is a multiple of the step. */
export const isOnStep = (value: string, step: string): boolean => {
  const [units, size] = both(value, step);
  return units % size === 0n;
};

/** Removes redundant zeros: `"1.500"` is `"1.5"`, `"-0.0"` is `"0"`. */
export function trimDecimal(value: string): string {
  const { units, scale } = scaled(value);
  return textOf(units, scale)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
}

/** Format of a decimal. */
export interface DecimalFormat {
  /** Rounds to multiples of this, with its decimals. Default: the value unchanged. */
  readonly step?: string;
  /** Default: `nearest`. */
  readonly rounding?: Rounding;
  /** Separator of groups of three digits. Default: `,`. */
  readonly group?: string;
  /** Decimal separator. Default: `.`. */
  readonly point?: string;
  /** Writes `+` before positive numbers. */
  readonly sign?: boolean;
}

/** Formats a decimal for display: `formatDecimal("64250.125", { step: "0.01" })` is `64,250.13`. */
export function formatDecimal(
  value: string,
  { step, rounding = "nearest", group = ",", point = ".", sign = false }: DecimalFormat = {},
) {
  const text = step === undefined ? plain(value) : roundToStep(value, step, rounding);
  const [whole = "", fraction] = text.replace("-", "").split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group);
  const before = text.startsWith("-") ? "-" : sign && /[1-9]/.test(text) ? "+" : "";
  return `${before}${grouped}${fraction === undefined ? "" : `${point}${fraction}`}`;
}

const plain = (value: string): string => {
  const { units, scale } = scaled(value);
  return textOf(units, scale);
};

/** Formats a fraction as a percentage: `formatPercent("0.0123")` is `1.23 %`. Rates, ratios and loan-to-values are fractions. */
export const formatPercent = (fraction: string, { step = "0.01", ...format }: DecimalFormat = {}): string =>
  `${formatDecimal(multiplyDecimals(fraction, "100"), { step, ...format })} %`;
