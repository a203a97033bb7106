import { describe, expect, it } from "vitest";
import { channels } from "../../../src/contract/channels/index.js";
import { endpointNamed } from "../../../src/contract/index.js";
import { staleAfterPush } from "../../../src/datasources/streams/staleAfterPush.js";

const privateChannels = channels.filter(({ access }) => access === "private");

describe("what a push makes stale", () => {
  it.each(privateChannels.map(({ name, generation }) => [name, generation] as const))(
    "%s: reads of its own generation",
    (name, generation) => {
      const stale = staleAfterPush.get(name) ?? [];
      expect(stale.length).toBeGreaterThan(0);
      for (const endpoint of stale) {
        const read = endpointNamed(endpoint);
        expect(read).toMatchObject({ method: "GET", access: "private" });
        expect([generation, "v2"]).toContain(read?.generation);
      }
    },
  );

  it("is nothing for public channels", () => {
    for (const { name, access } of channels) if (access === "public") expect(staleAfterPush.has(name)).toBe(false);
  });
});
