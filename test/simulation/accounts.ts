import { ALL_PERMISSIONS } from "@exchange-graph/sandbox/credentials";
import { type ExchangeAccount, Secret } from "../../src/datasources/index.js";
import { ACCOUNTS, type AccountName } from "./actions.js";
import type { User } from "./streamAuditor.js";
import type { VirtualTime } from "./time.js";

/** The broker's account, which a run has only if it withdraws, and its sub-accounts. */
export const BROKER = "broker";
export const SUB_ACCOUNTS = ["8800112401", "8800112402"] as const;

type ConfiguredName = AccountName | typeof BROKER;

/** Users of the exchange, by the account that was configured first with their keys. */
export const UIDS: Readonly<Record<ConfiguredName, string>> = {
  main: "8800112233",
  main2: "8800112233",
  classic: "8800112244",
  classic2: "8800112244",
  [BROKER]: "8800112255",
};

const CONFIGURED: readonly ConfiguredName[] = [...ACCOUNTS, BROKER];

/** Number of keys of an account. */
const KEYS = 3;
const keyOf = (name: ConfiguredName, generation: number): string => `simulated-${name}-key-${generation}`;

const credentialOf = (name: ConfiguredName, generation: number) => ({
  ...{ key: keyOf(name, generation), secret: `simulated-${name}-secret`, passphrase: `simulated${name}`, uid: UIDS[name] },
  ...{ permissions: ALL_PERMISSIONS, isDemo: false },
});

/** All keys, as the exchange has them. */
export const CREDENTIALS = CONFIGURED.flatMap((name) =>
  Array.from({ length: KEYS }, (_, generation) => credentialOf(name, generation)),
);

/** The account that was configured with a key; undefined for an unknown key. */
export const accountWith = (key: string): ConfiguredName | undefined =>
  CONFIGURED.find((name) => key.startsWith(`simulated-${name}-key-`));

/** The same, of an account that has one of them. */
export function ownerOf({ credentials }: ExchangeAccount): ConfiguredName {
  const key = credentials.apiKey.reveal();
  const owner = accountWith(key);
  if (owner === undefined) throw new RangeError(`no account has the key ${key}`);
  return owner;
}

function accountOf(name: ConfiguredName, shown: string, generation = 0): ExchangeAccount {
  const { key, secret, passphrase } = credentialOf(name, generation);
  return {
    name: shown,
    credentials: { apiKey: new Secret(key), apiSecret: new Secret(secret), passphrase: new Secret(passphrase) },
    isCopyTrader: false,
  };
}

/** The file of accounts as an operator keeps it: names and keys change. */
export class ConfiguredAccounts {
  #all: readonly ExchangeAccount[];
  #names: Readonly<Record<AccountName, string>> = { main: "main", main2: "main2", classic: "classic", classic2: "classic2" };
  #changes = 0;
  /** World time of the last change of names, or of the user of one. */
  #renamedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly time: VirtualTime,
    hasBroker: boolean,
  ) {
    this.#all = (hasBroker ? CONFIGURED : ACCOUNTS).map((name) => accountOf(name, name));
  }

  get all(): readonly ExchangeAccount[] {
    return this.#all;
  }

  /** Present name of an account. */
  nameOf(account: AccountName): string {
    return this.#names[account];
  }

  /** The present user of an account. */
  uidOf(account: AccountName): string {
    const found = this.#all.find(({ name }) => name === this.#names[account]);
    return UIDS[found === undefined ? account : ownerOf(found)];
  }

  /** The user behind a name, and since when; undefined for an unknown name. */
  userOf(name: string): User | undefined {
    const account = this.#all.find((one) => one.name === name);
    return account && { uid: UIDS[ownerOf(account)], since: this.#renamedAt };
  }

  /** An account gets another name, or two swap their keys. */
  rename(account: AccountName, to: AccountName | undefined): void {
    const one = this.#names[account];
    if (to === undefined) {
      const next = `${one}-${++this.#changes}`;
      this.#all = this.#all.map((each) => (each.name === one ? { ...each, name: next } : each));
      this.#names = { ...this.#names, [account]: next };
    } else {
      const other = this.#names[to];
      const keys = new Map(this.#all.map(({ name, credentials }) => [name, credentials]));
      const swapped = new Map([
        [one, keys.get(other)],
        [other, keys.get(one)],
      ]);
      this.#all = this.#all.map((each) => ({ ...each, credentials: swapped.get(each.name) ?? each.credentials }));
    }
    this.#renamedAt = this.time.now;
  }

  /** An account gets another key of its user. */
  rotate(account: AccountName): void {
    const shown = this.#names[account];
    const generation = ++this.#changes % KEYS;
    this.#all = this.#all.map((one) => (one.name === shown ? accountOf(ownerOf(one), shown, generation) : one));
  }
}
