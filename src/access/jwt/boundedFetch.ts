import type { FetchImplementation } from "jose";

/**
 * Fetches bodies of at most `maxBytes`, counted as they are unpacked: what is longer is not read on, and fails. `jose` reads
 * a whole body into memory before it looks at it.
 */
export const boundedFetch =
  (maxBytes: number): FetchImplementation =>
  async (url, options) => {
    const { body, status, statusText, headers } = await fetch(url, options);
    const parts: Uint8Array[] = [];
    let bytes = 0;
    // Leaving the loop ends the transfer.
    for await (const part of body ?? []) {
      bytes += part.byteLength;
      if (bytes > maxBytes) throw new Error(`${url} answered with more than ${maxBytes} bytes`);
      parts.push(part);
    }
    return new Response(status === 204 || status === 304 ? null : Buffer.concat(parts), { status, statusText, headers });
  };
