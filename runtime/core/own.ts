// Reads a record whose keys come from users: a task may be called 'constructor', which every object inherits.

/** Undefined also for an inherited property. */
export const own = <T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
