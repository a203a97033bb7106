/** Addresses that never leave this machine: as they are set, or as a URL holds them. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i.test(host);
