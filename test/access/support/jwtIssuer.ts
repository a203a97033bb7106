import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

export const ISSUER = "https://issuer.example";
export const AUDIENCE = "exchange-graph";

/** Claims that differ from those of a valid token; `null` omits a claim. */
export interface Claims {
  readonly [claim: string]: unknown;
}

/** An issuer that signs JWTs with a key of this algorithm. */
export interface JwtIssuer {
  /** The public key, as a key set. */
  readonly keySet: { readonly keys: readonly JWK[] };
  sign(claims: Claims, header?: { readonly alg?: string; readonly kid?: string }): Promise<string>;
}

/** `now` in Unix ms. */
export async function jwtIssuer(now: () => number, alg = "ES256", kid = "first"): Promise<JwtIssuer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: "sig" };
  return {
    keySet: { keys: [jwk] },
    sign: (claims, header = {}) =>
      new SignJWT(claimsOf(claims, now())).setProtectedHeader({ alg, kid, ...header }).sign(privateKey),
  };
}

/** A token signed with a shared secret. */
export const signedWith = (secret: string | Uint8Array, claims: Claims, now: number, alg = "HS256"): Promise<string> =>
  new SignJWT(claimsOf(claims, now))
    .setProtectedHeader({ alg })
    .sign(typeof secret === "string" ? new TextEncoder().encode(secret) : secret);

export function claimsOf(claims: Claims, now: number): Record<string, unknown> {
  const seconds = Math.floor(now / 1_000);
  const good = {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: "desk",
    exp: seconds + 300,
    scope: "read:market read:account",
    accounts: ["main"],
  };
  return Object.fromEntries(Object.entries({ ...good, ...claims }).filter(([, value]) => value !== null));
}
