/** Apollo Client warns about cache mistakes only if this is set before it is loaded. */
Reflect.set(globalThis, "__DEV__", true);
