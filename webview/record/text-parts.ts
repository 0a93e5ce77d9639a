/** The limit of the protocol. */
const MAX_TEXT_LENGTH = 2000;

/** A text in parts that the protocol takes. A part ends neither within a line break of Windows nor within a character. */
export function textParts(text: string): readonly string[] {
  const lines = text.replaceAll(/\r\n?/g, '\n');
  const parts: string[] = [];
  for (let at = 0; at < lines.length; at += parts.at(-1)?.length ?? 0) {
    const part = lines.slice(at, at + MAX_TEXT_LENGTH);
    const isWithin = /[\uD800-\uDBFF]$/.test(part) && at + part.length < lines.length;
    parts.push(isWithin ? part.slice(0, -1) : part);
  }
  return parts;
}
