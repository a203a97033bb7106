import { errors, jwtVerify } from "jose";
import type { JwtSettings } from "../../config/clientSettings.js";
import type { Fault } from "../../datasources/index.js";
import { BAD_TOKEN, KEYS_MISSING } from "../principal/bearer.js";
import type { ClientPrincipal } from "../principal/clientPrincipal.js";
import { principalFrom } from "./claims.js";
import type { DeniableClaims } from "./denyList.js";
import { type KeyParts, type KeySource, KeysNotFetched, type OpenKeys, openKeys } from "./jwtKeys.js";

interface JwtParts extends KeyParts {
  /** Default: the keys of the settings. */
  readonly openKeys?: OpenKeys | undefined;
  readonly isDenied: (claims: DeniableClaims) => boolean;
}

const MAX_LENGTH = 8_192;
const MS_PER_S = 1_000;

/** The JWTs of one issuer. */
export class Jwts {
  readonly #keys: KeySource;

  constructor(
    private readonly settings: JwtSettings,
    private readonly parts: JwtParts,
  ) {
    this.#keys = (parts.openKeys ?? openKeys)(settings.keys, parts);
  }

  /** The client of a token, or the reason why it is not accepted. */
  async verify(token: string): Promise<ClientPrincipal | Fault> {
    if (token.length > MAX_LENGTH || !isExact(token)) return BAD_TOKEN;
    const { issuer, audience, clockToleranceMs, accountsClaim } = this.settings;
    try {
      const { payload } = await jwtVerify(token, this.#keys.key, {
        algorithms: [...this.#keys.algorithms],
        issuer,
        audience,
        clockTolerance: clockToleranceMs / MS_PER_S,
        currentDate: new Date(this.parts.clock.now()),
        requiredClaims: ["exp", "sub"],
      });
      return principalFrom(payload, accountsClaim, clockToleranceMs, this.parts.isDenied) ?? BAD_TOKEN;
    } catch (error) {
      if (isAboutTheToken(error)) return BAD_TOKEN;
      // A failed fetch has been reported when it failed.
      if (!(error instanceof KeysNotFetched)) this.parts.failed("a JWT could not be checked", error);
      return KEYS_MISSING;
    }
  }

  get keyStatus(): KeySource["status"] {
    return this.#keys.status;
  }

  close(): void {
    this.#keys.close();
  }
}

/** Errors caused by the token have a class of their own. */
const isAboutTheToken = (error: unknown): boolean => error instanceof errors.JOSEError && error.code !== errors.JOSEError.code;

/**
 * Whether each of the three parts is in canonical base64url without padding: decoders accept other spellings of the same bytes.
 */
const isExact = (token: string): boolean =>
  /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token) &&
  token.split(".").every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
