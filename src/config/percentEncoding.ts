/** The rule of a text with parts that are percent-encoded. */
export const NOT_ENCODED = "must be percent-encoded: write % as %25";

/** Whether every percent sign of a text begins the encoding of a character. */
export function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
