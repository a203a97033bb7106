import { describe, expect, it } from "vitest";
import { CONFIRMED_FOR_MS, Confirmation } from "../../src/redis/confirmation.js";

describe("a replica relies on having received the others' notices", () => {
  let now = 0;
  const confirmed = () => {
    now = 0;
    const confirmation = new Confirmation(() => now);
    confirmation.began(0);
    confirmation.answered(0, 1);
    return confirmation;
  };

  it("for a second after a command was sent that has been answered", () => {
    const confirmation = confirmed();
    now = CONFIRMED_FOR_MS - 1;
    expect(confirmation.holds).toBe(true);
    confirmation.answered(500, now);
    now = CONFIRMED_FOR_MS;
    expect(confirmation.holds).toBe(true);
    now = 500 + CONFIRMED_FOR_MS;
    expect(confirmation.holds).toBe(false);
  });

  it("not before the first answer on a new connection", () => {
    const confirmation = confirmed();
    confirmation.began(10);
    now = 11;
    expect(confirmation.holds).toBe(false);
    confirmation.answered(10, 12);
    expect(confirmation.holds).toBe(true);
  });

  it("after a pause from the second answer on, because notices may wait behind the first", () => {
    const confirmation = confirmed();
    now = 10_000;
    confirmation.answered(9_999, now);
    expect(confirmation.holds).toBe(false);
    // It was sent before the first answer arrived.
    confirmation.answered(9_999, now);
    expect(confirmation.holds).toBe(false);
    confirmation.answered(10_000, 10_001);
    expect(confirmation.holds).toBe(true);
  });

  it("not by an answer to a command from before a second pause", () => {
    const confirmation = confirmed();
    now = 10_000;
    confirmation.answered(9_999, now);
    now = 20_000;
    confirmation.answered(10_001, now);
    expect(confirmation.holds).toBe(false);
  });
});
