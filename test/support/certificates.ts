import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A self-signed certificate and its key, as files and as text. */
export interface SelfSigned {
  readonly certPath: string;
  readonly keyPath: string;
  readonly cert: string;
  readonly key: string;
}

const PLACES = (process.env.PATH ?? "").split(":").map((folder) => join(folder, "openssl"));

/** Whether a program that creates certificates is installed. */
export const canSign: boolean = PLACES.some(existsSync);

/** Creates a certificate for 127.0.0.1 and localhost in `folder`, valid for two days. */
export function selfSigned(folder: string, name: string): SelfSigned {
  const [certPath, keyPath] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const subject = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"];
  execFileSync("openssl", [...request, ...subject, "-keyout", keyPath, "-out", certPath], { stdio: "ignore" });
  return { certPath, keyPath, cert: readFileSync(certPath, "utf8"), key: readFileSync(keyPath, "utf8") };
}
