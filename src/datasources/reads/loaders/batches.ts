import DataLoader from "dataloader";
import type { ExchangeAccount } from "../../calls/index.js";
import { faultIn } from "../../errors/index.js";

/** Loads keys of one account and group together. A batch that fails does not affect the others. */
export class Batches<K, V> {
  readonly #loaders = new Map<string, DataLoader<K, V, string>>();

  constructor(
    private readonly read: (account: ExchangeAccount, keys: readonly K[]) => Promise<readonly (V | Error)[]>,
    private readonly idOf: (key: K) => string,
    private readonly groupOf: (key: K) => string = () => "",
  ) {}

  load(account: ExchangeAccount, key: K): Promise<V> {
    const name = `${account.name} ${this.groupOf(key)}`;
    const loader = this.#loaders.get(name) ?? this.#loaderOf(account);
    this.#loaders.set(name, loader);
    return loader.load(key);
  }

  #loaderOf(account: ExchangeAccount): DataLoader<K, V, string> {
    const read = (keys: readonly K[]): Promise<readonly (V | Error)[]> =>
      this.read(account, keys).catch((error: unknown) => keys.map(() => faultIn(error)));
    return new DataLoader<K, V, string>(read, { cacheKeyFn: this.idOf });
  }
}
