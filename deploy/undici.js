// What the gateway uses of undici, in the place of the whole in a bundle. The rest of it loads Node's own copy of undici as well.
// A name that is missing here fails the build. There are the methods of dispatchers, `dispatch` above all, and no `request` or `stream`.
export { default as errors } from "undici/lib/core/errors.js";
export { default as Pool } from "undici/lib/dispatcher/pool.js";
