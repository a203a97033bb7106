import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { changeableByOthers, type GuardedFile, openToOthers, type ReloadedFiles, readGuarded } from "../files/guardedFile.js";
import type { Variable } from "./variables.js";

/** Certificate and key of TLS, in PEM. */
export interface TlsMaterial {
  /** The server's certificate, followed by its intermediate certificates. */
  readonly cert: string;
  readonly key: string;
  /** Authorities whose certificates clients need; without them clients need none. */
  readonly clientCa: string | undefined;
}

/** The files of certificate and key. Each mistake is a complete line that starts with its setting. */
export type TlsSource = ReloadedFiles<TlsMaterial>;

/** The source of certificate and key; `undefined` without TLS. */
export function tlsSource({
  TLS_CERT_FILE: certPath,
  TLS_KEY_FILE: keyPath,
  TLS_CLIENT_CA_FILE: caPath,
}: { readonly [V in Variable]?: string }): TlsSource | undefined {
  if (certPath === undefined || keyPath === undefined) return undefined;
  return {
    setting: ["TLS_CERT_FILE", "TLS_KEY_FILE", ...(caPath === undefined ? [] : ["TLS_CLIENT_CA_FILE"])].join(", "),
    paths: [certPath, keyPath, ...(caPath === undefined ? [] : [caPath])],
    waitsForOthers: "WHILE_INVALID",
    read: () => readTls(certPath, keyPath, caPath),
  };
}

/** Contradictions between settings of TLS; `values` are the variables that are set. */
export function tlsContradictions(values: Readonly<Record<string, string>>): string[] {
  const has = (name: string): boolean => Object.hasOwn(values, name);
  if (!has("TLS_CERT_FILE") && !has("TLS_KEY_FILE"))
    return has("TLS_CLIENT_CA_FILE") ? ["TLS_CLIENT_CA_FILE: cannot be used without TLS_CERT_FILE and TLS_KEY_FILE"] : [];
  if (!has("TLS_KEY_FILE")) return ["TLS_KEY_FILE: is required together with TLS_CERT_FILE"];
  return has("TLS_CERT_FILE") ? [] : ["TLS_CERT_FILE: is required together with TLS_KEY_FILE"];
}

function readTls(certPath: string, keyPath: string, caPath: string | undefined): GuardedFile<TlsMaterial> {
  const mistakes: string[] = [];
  const read = (setting: string, file: GuardedFile<string>, check: (pem: string) => unknown): string => {
    if ("mistakes" in file) {
      mistakes.push(...file.mistakes.map((text) => `${setting}: ${text}`));
      return "";
    }
    if (!passes(() => check(file.content))) mistakes.push(`${setting}: is not in PEM`);
    return file.content;
  };
  const isCertificate = (pem: string) => new X509Certificate(pem);
  const cert = read("TLS_CERT_FILE", readGuarded(certPath, changeableByOthers), isCertificate);
  const key = read("TLS_KEY_FILE", readGuarded(keyPath, openToOthers), (pem) => createPrivateKey(pem));
  const clientCa =
    caPath === undefined ? undefined : read("TLS_CLIENT_CA_FILE", readGuarded(caPath, changeableByOthers), isCertificate);
  if (mistakes.length > 0) return { mistakes };
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    return { mistakes: ["TLS_KEY_FILE: is not the key of the certificate in TLS_CERT_FILE"] };
  if (!passes(() => createSecureContext({ cert, key, ca: clientCa })))
    return { mistakes: ["TLS_CERT_FILE: cannot be used: OpenSSL refuses the certificate with its key"] };
  return { content: { cert, key, clientCa } };
}

/** OpenSSL's message is dropped, because it may quote the content. */
function passes(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
