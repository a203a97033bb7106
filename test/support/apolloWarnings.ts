/** Apollo Client warns of what is wrong with a cache where that is set before it is loaded. */
Reflect.set(globalThis, "__DEV__", true);
