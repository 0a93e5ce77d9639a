// Checks the values that a text names, and not its wording.

import { expect } from 'vitest';

/** The text contains these parts, in this order. */
export function expectNamed(text: string | undefined, ...parts: readonly string[]): void {
  let from = 0;
  for (const part of parts) {
    const index = text?.indexOf(part, from) ?? -1;
    expect(index, `'${part}' from character ${from} of: ${text}`).toBeGreaterThanOrEqual(0);
    from = index + part.length;
  }
}
