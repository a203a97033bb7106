import { readEnvelope } from "@exchange-graph/contract/envelope";
import { signature } from "@exchange-graph/contract/signing";
import { type Credential, type PromisedCredential, SANDBOX_CREDENTIALS } from "../../src/credentials.js";
import type { Sandbox } from "../../src/sandbox.js";

/** What came back, parsed where it could be. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly code: string | undefined;
  readonly msg: string | undefined;
  readonly data: unknown;
}

/** What may differ from a well-behaved call. */
export interface CallOptions {
  readonly method?: "GET" | "POST";
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Signed instead of the target that is sent. */
  readonly signedTarget?: string;
  readonly timestamp?: string;
  readonly without?: readonly string[];
}

export const credentialOf = (account: PromisedCredential["name"]): PromisedCredential => {
  const found = SANDBOX_CREDENTIALS.find(({ name }) => name === account);
  if (found === undefined) throw new Error(`no credential for ${account}`);
  return found;
};

/** Sends an unsigned call. */
export async function send(url: string, target: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(`${url}${target}`, init);
  const text = await response.text();
  const envelope = readEnvelope(text);
  return {
    status: response.status,
    headers: response.headers,
    text,
    code: envelope?.code,
    msg: envelope?.msg,
    data: envelope?.data,
  };
}

/** Sends a call signed as the exchange wants it, except where `options` say otherwise. */
export function signedCall(
  sandbox: Sandbox,
  { key, secret, passphrase }: Credential,
  target: string,
  options: CallOptions = {},
): Promise<Reply> {
  const { method = "GET", body, signedTarget = target, timestamp = String(sandbox.clock.now()), without = [] } = options;
  const headers: Record<string, string> = {
    "access-key": key,
    "access-sign": signature(secret, { timestamp, method, target: signedTarget, body: body ?? "" }),
    "access-timestamp": timestamp,
    "access-passphrase": passphrase,
    "content-type": "application/json",
    ...options.headers,
  };
  for (const name of without) delete headers[name];
  return send(sandbox.url, target, { method, headers, ...(body === undefined ? {} : { body }) });
}
