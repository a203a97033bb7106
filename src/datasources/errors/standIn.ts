/**
 * Placeholders for the exchange's users as long as they are unknown. The exchange's users have no such ids. They are in this
 * folder because the journal's thread needs them and imports nothing of `calls`.
 */

/** For the user of a key, by the key's digest. */
export const standIn = (key: string): string => `key:${key}`;

/** For the user of an account, in entries from before users were recorded. */
export const accountStandIn = (name: string): string => `account:${name}`;

/** Whether an id is such a placeholder. */
export const isStandIn = (user: string): boolean => user.startsWith("key:") || user.startsWith("account:");
