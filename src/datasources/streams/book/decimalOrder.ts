/**
 * Compares two non-negative decimal texts exactly without converting them to numbers: book updates do this several hundred
 * thousand times a second. `0.50` equals `0.5`, and `007` equals `7`.
 */
export function compareDecimals(a: string, b: string): number {
  if (a === b) return 0;
  const endOfA = wholeEnd(a);
  const endOfB = wholeEnd(b);
  const startOfA = firstDigit(a, endOfA);
  const startOfB = firstDigit(b, endOfB);
  const longer = endOfA - startOfA - (endOfB - startOfB);
  if (longer !== 0) return longer;
  for (let at = 0; startOfA + at < endOfA; at++) {
    const difference = a.charCodeAt(startOfA + at) - b.charCodeAt(startOfB + at);
    if (difference !== 0) return difference;
  }
  const places = Math.max(a.length - endOfA, b.length - endOfB);
  for (let at = 1; at < places; at++) {
    const difference = digitAt(a, endOfA + at) - digitAt(b, endOfB + at);
    if (difference !== 0) return difference;
  }
  return 0;
}

const ZERO = "0".charCodeAt(0);

const wholeEnd = (text: string): number => {
  const point = text.indexOf(".");
  return point === -1 ? text.length : point;
};

function firstDigit(text: string, end: number): number {
  let at = 0;
  while (at < end && text.charCodeAt(at) === ZERO) at++;
  return at;
}

/** After its last digit a fraction continues with zeros. */
const digitAt = (text: string, at: number): number => (at < text.length ? text.charCodeAt(at) : ZERO);
