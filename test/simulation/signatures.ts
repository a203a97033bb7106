import { createHmac, KeyObject, timingSafeEqual, type webcrypto } from "node:crypto";

type Verify = typeof crypto.subtle.verify;
let isAtOnce = false;

/** From now on HMACs are checked at once, and not by another thread, whose time is not the simulation's. */
export function checkAtOnce(): void {
  if (isAtOnce) return;
  isAtOnce = true;
  const { subtle } = crypto;
  const elsewhere = subtle.verify.bind(subtle);
  const verify: Verify = async (algorithm, key, signature, data) => {
    if (key.algorithm.name !== "HMAC") return elsewhere(algorithm, key, signature, data);
    const made = createHmac("sha256", KeyObject.from(key)).update(bytesOf(data)).digest();
    const given = bytesOf(signature);
    return made.length === given.length && timingSafeEqual(made, given);
  };
  Object.defineProperty(subtle, "verify", { value: verify });
}

const bytesOf = (source: webcrypto.BufferSource): Uint8Array =>
  ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
