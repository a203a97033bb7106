import { describe, expect, it } from "vitest";
import { sandboxPort } from "../src/port.js";

describe("the sandbox's port", () => {
  it("is 4100 unless the environment says otherwise", () => {
    expect([sandboxPort(), sandboxPort("0"), sandboxPort("65535")]).toEqual([4100, 0, 65_535]);
  });

  it.each(["", "65536", "-1", "80.5", "http", "0x50"])(
    "is refused when it is %j, in one line that names the setting",
    (setting) => {
      expect(() => sandboxPort(setting)).toThrow(`SANDBOX_PORT must be a port number from 0 to 65535, not "${setting}"`);
    },
  );
});
