/** Whether an address is a loopback one, as a setting or as the host of a URL. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i.test(host);
