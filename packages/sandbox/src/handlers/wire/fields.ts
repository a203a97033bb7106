/** These fields of a record as they are. */
export function picked<T extends object, K extends keyof T>(record: T, ...names: readonly K[]): Pick<T, K> {
  const fields: Partial<T> = {};
  for (const name of names) fields[name] = record[name];
  return fields as Pick<T, K>;
}

/** Unix ms. */
interface Times {
  readonly createdTime: number;
  /** Default: unchanged since. */
  readonly updatedTime?: number;
}

/** Creation and last change in v3 and in v2. */
export const unifiedTimes = ({ createdTime, updatedTime = createdTime }: Times) => ({
  createdTime: String(createdTime),
  updatedTime: String(updatedTime),
});
export const classicTimes = ({ createdTime, updatedTime = createdTime }: Times) => ({
  cTime: String(createdTime),
  uTime: String(updatedTime),
});
