import { readFileSync } from "node:fs";

/**
 * Finds a torn end in SQLite's write-ahead log.
 *
 * SQLite ignores such an end silently: frames count up to the last commit with a valid running checksum. What a crash cut off
 * after that is lost, and should be reported. The layout is part of SQLite's published file format: a header of 32 bytes, then
 * frames, each a header of 24 bytes and a page.
 */

const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;

/** A running checksum over 32-bit words, in the byte order of the log. */
function checksum(bytes: Buffer, [first, second]: readonly [number, number], bigEndian: boolean): [number, number] {
  let s0 = first;
  let s1 = second;
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    s0 = (s0 + (bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + s1) >>> 0;
    s1 = (s1 + (bigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + s0) >>> 0;
  }
  return [s0, s1];
}

/** Number of bytes after the last complete transaction that belong to an incomplete one. */
function tornBytes(log: Buffer): number {
  if (log.length < HEADER) return log.length;
  const magic = log.readUInt32BE(0);
  if ((magic & ~1) >>> 0 !== MAGIC) return log.length;
  const bigEndian = (magic & 1) === 1;
  const frameSize = FRAME_HEADER + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let running = checksum(log.subarray(0, 24), [0, 0], bigEndian);
  let committedUpTo = HEADER;
  let at = HEADER;
  for (; at < log.length; at += frameSize) {
    const frame = log.subarray(at, at + frameSize);
    // Frames of an earlier cycle follow the current ones until they are overwritten: their salts differ.
    if (frame.length >= 16 && !frame.subarray(8, 16).equals(salts)) break;
    if (frame.length < frameSize) return log.length - committedUpTo;
    running = checksum(frame.subarray(0, 8), running, bigEndian);
    running = checksum(frame.subarray(FRAME_HEADER), running, bigEndian);
    if (frame.readUInt32BE(16) !== running[0] || frame.readUInt32BE(20) !== running[1]) return log.length - committedUpTo;
    const commits = frame.readUInt32BE(4) !== 0;
    if (commits) committedUpTo = at + frameSize;
  }
  return at - committedUpTo;
}

/** Length of the torn end of a database's log; 0 without a log, or if nothing is torn. */
export function tornTail(databasePath: string): number {
  try {
    return tornBytes(readFileSync(`${databasePath}-wal`));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
}
