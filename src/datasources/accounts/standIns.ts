/** What stands in the journal for a user that is not known. No user of the exchange is called so. */

/** For the user of a key, which is given by its digest. */
export const standIn = (key: string): string => `key:${key}`;

/** For the user of an account, in entries of before users were noted. */
export const accountStandIn = (name: string): string => `account:${name}`;

/** Does it stand for a user that is not known? */
export const isStandIn = (user: string): boolean => user.startsWith("key:") || user.startsWith("account:");
