// Checks a value of a stranger against a schema. Never throws: the schema library itself does, for a value such as
// { "length": { "valueOf": 1 } } where a text or a list of a bounded length is allowed.

interface Schema<Result> {
  safeParse(value: unknown): Result;
}

/** No schema accepts it but those of any value, which never throw. */
const UNREADABLE = Symbol('a value that cannot be read');

export function safeParse<Result>(schema: Schema<Result>, value: unknown): Result {
  try {
    return schema.safeParse(value);
  } catch {
    return schema.safeParse(UNREADABLE);
  }
}
