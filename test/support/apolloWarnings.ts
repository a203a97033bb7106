/** Apollo Client warns of what is wrong with a cache where it is told so before it is loaded. */
Reflect.set(globalThis, "__DEV__", true);
