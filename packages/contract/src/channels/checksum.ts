/** Levels per side that the exchange's checksum covers. */
export const CHECKED_LEVELS = 25;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 (IEEE) of ASCII text as a signed 32-bit number. */
export function signedCrc32(text: string): number {
  let crc = -1;
  for (let at = 0; at < text.length; at++) crc = (crc >>> 8) ^ (TABLE[(crc ^ text.charCodeAt(at)) & 0xff] ?? 0);
  return ~crc;
}

/** One level as the exchange wrote it: price and size, and the RPI size in an RPI book. */
type LevelTexts = readonly string[];

/**
 * The checksum of a book: best bid, best ask, second bid, second ask and so on, up to 25 of each; if one side is shorter, the
 * other continues. It is computed of the received texts, so `0.5000` and `0.5` differ.
 */
export function bookChecksum(bids: readonly LevelTexts[], asks: readonly LevelTexts[]): number {
  const parts: string[] = [];
  for (let at = 0; at < CHECKED_LEVELS; at++) {
    const bid = bids[at];
    const ask = asks[at];
    if (bid !== undefined) parts.push(...bid);
    if (ask !== undefined) parts.push(...ask);
  }
  return signedCrc32(parts.join(":"));
}
