import { describe, expect, it } from "vitest";
import { bookChecksum, signedCrc32 } from "../../src/channels/checksum.js";

describe("the checksum of a book", () => {
  it("is the standard CRC-32, signed", () => {
    expect(signedCrc32("123456789")).toBe(-873_187_034);
    expect(signedCrc32("")).toBe(0);
  });

  it("alternates bids and asks, and continues with the longer side", () => {
    expect(
      bookChecksum(
        [["3366.1", "7"]],
        [
          ["3366.8", "9"],
          ["3368", "8"],
        ],
      ),
    ).toBe(-1_471_518_219);
    expect(
      bookChecksum(
        [
          ["43231.1", "4"],
          ["43231", "2"],
        ],
        [
          ["43232.8", "9"],
          ["43233.3", "8"],
        ],
      ),
    ).toBe(645_775_416);
    expect(
      bookChecksum(
        [
          ["64250.1", "0.512"],
          ["64250", "0.3"],
        ],
        [
          ["64250.2", "1.204"],
          ["64250.5", "0.07"],
        ],
      ),
    ).toBe(1_091_096_496);
  });

  it("has three parts per level in an RPI book", () => {
    expect(
      bookChecksum(
        [
          ["3366.1", "7", "1"],
          ["3366", "6", "1"],
        ],
        [
          ["3366.8", "9", "1"],
          ["3368", "8", "2"],
        ],
      ),
    ).toBe(-1_231_399_910);
  });

  it("is about the texts: a trailing zero changes it", () => {
    expect(bookChecksum([["0.5", "1"]], [])).not.toBe(bookChecksum([["0.5000", "1"]], []));
  });

  it("looks at 25 levels of a side and no further", () => {
    const levels = Array.from({ length: 26 }, (_, at) => [String(100 - at), "1"]);
    expect(bookChecksum(levels, [])).toBe(bookChecksum(levels.slice(0, 25), []));
    expect(bookChecksum(levels, [])).not.toBe(bookChecksum(levels.slice(0, 24), []));
  });
});
