import { describe, expect, it } from "vitest";
import type { TokenChange, TokenStore } from "../../../src/datasources/ports/tokenStore.js";
import { eventually } from "../../support/eventually.js";

/** What every store of tokens has to keep. */
export function tokenContract(open: () => Promise<TokenStore>): void {
  describe("a token", () => {
    it("that was taken back stays so until it is added again, and both are heard", async () => {
      const tokens = await open();
      const heard: TokenChange[] = [];
      tokens.onChange((change) => heard.push(change));
      expect(tokens.isRevoked("a")).toBe(false);
      tokens.announce({ revoked: ["a", "b"], added: [] });
      expect([tokens.isRevoked("a"), tokens.isRevoked("b"), tokens.isRevoked("c")]).toEqual([true, true, false]);
      await eventually(() => heard.length > 0);
      tokens.announce({ revoked: [], added: ["a"] });
      expect([tokens.isRevoked("a"), tokens.isRevoked("b")]).toEqual([false, true]);
      await eventually(() => heard.some(({ added }) => added.includes("a")));
    });
  });
}
