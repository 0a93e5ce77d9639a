/** The value of a JSON text; undefined if the text is not JSON. Callers skip or report invalid lines. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
