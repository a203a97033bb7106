import { describe, expect, it } from "vitest";
import { denialOfId, denialOfSubject } from "../../../src/access/jwt/denyList.js";
import type { TokenChange, TokenStore } from "../../../src/access/tokens/tokenStore.js";
import { eventually } from "../../support/eventually.js";

/** What every store of tokens has to keep. */
export function tokenContract(open: () => Promise<TokenStore>): void {
  describe("a token", () => {
    it("that was revoked stays so until it is added again, and both changes are notified", async () => {
      const tokens = await open();
      const heard: TokenChange[] = [];
      tokens.onChange((change) => heard.push(change));
      expect(tokens.isRevoked("a")).toBe(false);
      tokens.announce({ revoked: ["a", "b"], added: [], denied: [] });
      expect([tokens.isRevoked("a"), tokens.isRevoked("b"), tokens.isRevoked("c")]).toEqual([true, true, false]);
      await eventually(() => heard.length > 0);
      tokens.announce({ revoked: [], added: ["a"], denied: [] });
      expect([tokens.isRevoked("a"), tokens.isRevoked("b")]).toEqual([false, true]);
      await eventually(() => heard.some(({ added }) => added.includes("a")));
    });
  });

  describe("a JWT", () => {
    it("is denied by its identifier, or by its subject and when it was issued, until it has expired", async () => {
      const tokens = await open();
      const heard: TokenChange[] = [];
      tokens.onChange((change) => heard.push(change));
      const soon = Date.now() + 3_600_000;
      const ended = denialOfId("ended", Date.now() - 1);
      const denied = [denialOfId("one", soon), denialOfSubject("desk", 100, soon)];
      tokens.announce({ revoked: [], added: [], denied: [...denied, ended] });
      const claims = [
        { jti: "one", sub: "other", iat: 500 },
        { jti: "ended", sub: "other", iat: 500 },
        { sub: "other", iat: 1 },
        { sub: "desk", iat: 99 },
        { sub: "desk", iat: 100 },
        { sub: "desk" },
      ];
      expect(claims.map((one) => tokens.isDenied(one))).toEqual([true, false, false, true, false, true]);
      await eventually(() => heard.length > 0);
      expect(heard[0]?.denied).toEqual(denied);
      tokens.announce({ revoked: [], added: [], denied });
      expect(heard).toHaveLength(1);
      tokens.announce({ revoked: [], added: [], denied: [denialOfSubject("desk", 50, soon), denialOfSubject("desk", 101, 1)] });
      expect([99, 100].map((iat) => tokens.isDenied({ sub: "desk", iat }))).toEqual([true, false]);
    });
  });
}
