import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@exchange-graph/contract/clock";
import { tokenCommand } from "../../../src/access/tokens/tokenCommand.js";
import { browserTest } from "../../support/chromium.js";
import { type Product, servingProduct } from "../product.js";

/** A product with two clients: one may read the account `broker` and withdraw from it, the other may read `classic`. */
export interface Guarded {
  readonly url: string;
  readonly brokerToken: string;
  readonly classicToken: string;
  readonly marketToken: string;
  /** Revokes the token of `classic`. */
  revokeClassic(): void;
}

/** The address to which the reader of `broker` may withdraw. */
export const LISTED_ADDRESS = "TQ5kVxiiLEnTnjCsc8CTCpWvrCxZ7VZHHR";

async function servingGuarded(): Promise<{ readonly product: Product; readonly guarded: Guarded }> {
  const folder = mkdtempSync(join(tmpdir(), "clients-"));
  const [clients, addresses] = [join(folder, "clients.json"), join(folder, "addresses.json")];
  const create = (name: string, ...scopes: readonly string[]) => {
    const words = scopes.flatMap((scope) => ["--scope", scope]);
    return tokenCommand(["create", name, ...words], clients, systemClock).out.trim();
  };
  const brokerToken = create("reader", "read:market", "read:account=broker", "withdraw=broker");
  const classicToken = create("explorer", "read:market", "read:account=classic");
  writeFileSync(addresses, JSON.stringify([{ coin: "USDT", address: LISTED_ADDRESS }]), { mode: 0o600 });
  const product = await servingProduct({ CLIENTS_FILE: clients, WITHDRAW_ADDRESSES_FILE: addresses });
  const marketToken = create("prices", "read:market");
  const revokeClassic = () => void tokenCommand(["revoke", "explorer"], clients, systemClock);
  return { product, guarded: { url: product.url, brokerToken, classicToken, marketToken, revokeClassic } };
}

interface Products {
  /** The product as started by `npm start`. Tests share its state. */
  readonly product: Product;
  readonly guarded: Guarded;
}

/** A browser test with a product shared by all tests of a file, because starting one takes as long as most tests. */
export const productTest = browserTest.extend<Products>({
  product: [
    async ({ executablePath: _ }, use) => {
      const product = await servingProduct();
      await use(product);
      await product.stop();
    },
    { scope: "file" },
  ],
  guarded: [
    async ({ executablePath: _ }, use) => {
      const { product, guarded } = await servingGuarded();
      await use(guarded);
      await product.stop();
    },
    { scope: "file" },
  ],
});
