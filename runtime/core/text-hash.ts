// The FNV-1a hash of a text, for tables of hashed words. Not for secrets.

/** A signed integer of 32 bits. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
