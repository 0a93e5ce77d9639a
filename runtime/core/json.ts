// Parses JSON from outside.

/** Far deeper than any message or task. */
const MAX_JSON_DEPTH = 100;

/** Throws a SyntaxError for text that is no JSON, or is nested so deeply that recursive readers would exhaust the stack. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_JSON_DEPTH)
      throw new SyntaxError(`Values are nested more than ${MAX_JSON_DEPTH} levels deep. Reduce the nesting.`);
    level = level.flatMap(each => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return value;
}

/** The value of a JSON text; undefined if the text is not JSON. Callers skip or report invalid lines. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
