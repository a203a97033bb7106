// Replaces undici in a bundle with the parts that the gateway uses; the rest of it would also load Node's own copy of undici.
// An import of a name that is missing here fails the build. Dispatchers have `dispatch`, but neither `request` nor `stream`.
export { default as errors } from "undici/lib/core/errors.js";
export { default as Pool } from "undici/lib/dispatcher/pool.js";
