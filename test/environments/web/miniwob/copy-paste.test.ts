// The clipboard of a desktop whose episodes share a page, with a real browser.

import { describe, expect, test } from 'vitest';
import { seed } from '../../../../runtime/core/ids.ts';
import { key } from '../../../../runtime/core/key.ts';
import { centre, type Element } from '../../../../runtime/core/screen.ts';
import { canOpenMiniwob, miniwobDesktop } from './desktop.ts';

const SEED = seed(7);

describe.skipIf(!canOpenMiniwob)('an episode in place', () => {
  const desktop = miniwobDesktop();

  /** Returns the score. */
  async function play({ copies }: { readonly copies: boolean }): Promise<number> {
    const { elements = [] } = await desktop.start('copy-paste', SEED);
    const pressWithControl = (letter: string) =>
      desktop.act({ kind: 'hotkey', keys: [key('ctrl'), key(letter)] });
    const click = async (isWanted: (element: Element) => boolean) => {
      const found = elements.find(isWanted);
      if (found === undefined) throw new Error(`No such element among ${JSON.stringify(elements)}`);
      await desktop.act({ kind: 'click', at: centre(found.box) });
    };
    if (copies) {
      await click(({ role }) => role === 'textarea');
      await pressWithControl('a');
      await pressWithControl('c');
    }
    await click(({ role }) => role === 'textfield');
    await pressWithControl('v');
    await click(({ role }) => role === 'button');
    return desktop.score();
  }

  test('begins with an empty clipboard', async () => {
    expect(await play({ copies: true })).toBe(1);
    expect(await play({ copies: false })).toBe(0);
  });
});
