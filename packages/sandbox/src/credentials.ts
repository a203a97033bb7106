/** An API key of the sandbox and its permissions. */
export interface Credential {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
  readonly uid: string;
  readonly permissions: readonly string[];
  /** A key of the demo environment works with the header `paptrading: 1` and only with it. */
  readonly isDemo: boolean;
}

export class Credentials {
  readonly #byKey: ReadonlyMap<string, Credential>;

  constructor(credentials: readonly Credential[]) {
    this.#byKey = new Map(credentials.map((credential) => [credential.key, credential]));
  }

  find(key: string): Credential | undefined {
    return this.#byKey.get(key);
  }
}

const CLASSIC_READ = ["coor", "cpor", "stor", "smor", "ttor", "wtor", "taxr", "chor", "p2pr", "pllr"];
const CLASSIC_WRITE = ["coow", "cpow", "stow", "smow", "ttow", "wtow", "wwow", "chow", "p2p", "pllw", "taxw"];
const UNIFIED = ["uta_trade:read", "uta_trade:read_write", "uta_mgt:read", "uta_mgt:read_write"];
/** All permissions. A v2 key also works on a UTA account, so no key is limited to an API version. */
export const ALL_PERMISSIONS: readonly string[] = [...CLASSIC_READ, ...CLASSIC_WRITE, ...UNIFIED];

/** A documented key, under the name of its account. */
export interface PromisedCredential extends Credential {
  readonly name: "main" | "classic" | "broker";
}

const promised = (name: PromisedCredential["name"], uid: string): PromisedCredential => ({
  name,
  key: `sandbox-${name}-key`,
  secret: `sandbox-${name}-secret`,
  passphrase: `sandbox${name}1`,
  uid,
  permissions: ALL_PERMISSIONS,
  isDemo: false,
});

/** The documented keys: a unified account, a Classic one, and a Classic one that is an ND broker. */
export const SANDBOX_CREDENTIALS: readonly PromisedCredential[] = [
  promised("main", "8800112233"),
  promised("classic", "8800112244"),
  promised("broker", "8800112255"),
];
