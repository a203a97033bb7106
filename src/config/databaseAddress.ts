import { Secret } from "../datasources/errors/index.js";
import { isPercentEncoded, NOT_ENCODED } from "./percentEncoding.js";

/** Address and credentials of a PostgreSQL server. */
export interface DatabaseAddress {
  /** A host name, an IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: Secret | undefined;
  /** `verify`: TLS with a certificate for this host. `unverified`: TLS with any certificate. `off`: no TLS. */
  readonly tls: "verify" | "unverified" | "off";
  /** A PEM file with the accepted authorities. Default: those of the system. */
  readonly rootCertificates: string | undefined;
}

const TLS_MODES = { disable: "off", require: "unverified", "verify-full": "verify" } as const;
const isTlsMode = (text: string): text is keyof typeof TLS_MODES => Object.hasOwn(TLS_MODES, text);

const isThisMachine = (host: string): boolean => /^(?:\/|localhost$|127(?:\.\d{1,3}){3}$|\[?::1\]?$)/i.test(host);

const SHAPE = "must be an address such as postgres://user:password@db.example.com:5432/name";
const PARAMETERS = ["sslmode", "sslrootcert", "host"];

/**
 * Parses `postgres://user:password@host:port/name`. Supported query parameters of libpq are `sslmode` (`disable`, `require`,
 * `verify-full`; default `verify-full`, for a loopback host `disable`), `sslrootcert`, and `host` for the folder of a Unix
 * socket. Otherwise returns a mistake in words, which never quotes the address, because it may contain a password.
 */
export function readDatabaseAddress(text: string): DatabaseAddress | { readonly mistake: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol) || url.hash !== "") return { mistake: SHAPE };
  const unknown = [...url.searchParams.keys()].filter((name) => !PARAMETERS.includes(name));
  if (unknown.length > 0) return { mistake: `must have no query parameters but ${PARAMETERS.join(", ")}` };
  if (!isPercentEncoded(text)) return { mistake: NOT_ENCODED };
  const [user = "", password = "", database = ""] = [url.username, url.password, url.pathname.slice(1)].map(decodeURIComponent);
  const host = url.searchParams.get("host") ?? url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (!host || !user || !database || database.includes("/")) return { mistake: SHAPE };
  const mode = url.searchParams.get("sslmode") ?? (isThisMachine(host) ? "disable" : "verify-full");
  if (!isTlsMode(mode)) return { mistake: `must have an sslmode of ${Object.keys(TLS_MODES).join(", ")}` };
  return {
    ...{ host, database, user, tls: TLS_MODES[mode] },
    port: url.port === "" ? 5432 : Number.parseInt(url.port, 10),
    password: password === "" ? undefined : new Secret(password),
    rootCertificates: url.searchParams.get("sslrootcert") ?? undefined,
  };
}
