// An agent that leaves the episode of a page ends it, with a real browser: the page would start instances of its own choice.

import { describe, expect, test } from 'vitest';
import { seed } from '../../../../runtime/core/ids.ts';
import { key } from '../../../../runtime/core/key.ts';
import { centre, type Screen } from '../../../../runtime/core/screen.ts';
import { canOpenMiniwob, miniwobDesktop } from './desktop.ts';

const SEED = seed(7);

describe.skipIf(!canOpenMiniwob)('an episode of a page', () => {
  const desktop = miniwobDesktop();
  const press = (first: string, ...others: readonly string[]) =>
    desktop.act({ kind: 'hotkey', keys: [key(first), ...others.map(each => key(each))] });
  const clickButton = ({ elements = [] }: Screen) => {
    const found = elements.find(({ role }) => role === 'button');
    if (found === undefined) throw new Error(`No button among ${JSON.stringify(elements)}`);
    return desktop.act({ kind: 'click', at: centre(found.box) });
  };

  test.each<[string, ...string[]]>([['f5'], ['ctrl', 'r']])(
    'is over without a score after %s %s',
    async (...keys) => {
      await desktop.start('click-test', SEED);
      expect((await press(...keys)).isOver).toBe(true);
      // The cover of the page starts an episode without the seed.
      const started = await desktop.act({ kind: 'click', at: { x: 80, y: 105 } });
      expect(started.isOver).toBe(true);
      expect((await clickButton(started)).isOver).toBe(true);
      expect(await desktop.score()).toBe(0);
    },
  );

  test('cannot go back to the page of an earlier task', async () => {
    await clickButton(await desktop.start('click-test', SEED));
    expect(await desktop.score()).toBe(1);
    const started = await desktop.start('click-button', SEED);
    const back = await press('alt', 'left');
    expect(back.isOver).not.toBe(true);
    expect(back.elements).toEqual(started.elements);
  });

  test('starts again after an agent left the last one', async () => {
    await desktop.start('click-test', SEED);
    await press('f5');
    const again = await desktop.start('click-test', SEED);
    expect(again.isOver).not.toBe(true);
    expect((await clickButton(again)).isOver).toBe(true);
    expect(await desktop.score()).toBe(1);
  });
});
