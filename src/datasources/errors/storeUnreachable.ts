/** The store behind a port is unreachable, or has not answered in time. */
export class StoreUnreachable extends Error {}
