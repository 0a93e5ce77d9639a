// The page of an attempt, and the pictures in it.

import fc from 'fast-check';
import { decode } from 'fast-png';
import { expect, test } from 'vitest';
import type { Pixels } from '../../runtime/core/screen.ts';
import type { Attempt } from '../../runtime/inference/calls.ts';
import { filmstrip } from '../../runtime/inference/filmstrip.ts';
import { encodePng } from '../../runtime/inference/png.ts';

const pixels = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.constantFrom('rgb', 'rgba'))
  .chain(([width, height, layout]) => {
    const length = width * height * (layout === 'rgb' ? 3 : 4);
    return fc
      .uint8Array({ minLength: length, maxLength: length })
      .map((data): Pixels => ({ width, height, layout: layout === 'rgb' ? 'rgb' : 'rgba', data }));
  });

test('another decoder reads the picture as the screen', () => {
  fc.assert(
    fc.property(pixels, screen => {
      const { width, height, channels, data } = decode(encodePng(screen), { checkCrc: true });
      const colours = screen.data.filter((_, index) => screen.layout === 'rgb' || index % 4 !== 3);
      expect({ width, height, channels }).toEqual({
        width: screen.width,
        height: screen.height,
        channels: 3,
      });
      expect([...data]).toEqual([...colours]);
    }),
  );
});

const screen: Pixels = { width: 2, height: 1, layout: 'rgb', data: Uint8Array.of(1, 2, 3, 4, 5, 6) };
const box = { x: 0, y: 0, width: 1, height: 1 };
const ATTEMPT: Attempt = {
  instruction: 'Move "<b>" & go',
  steps: [
    { sentence: 'drag row "<b>" to treeitem "Trash"', sure: 0.8, boxes: [box, { ...box, x: 1 }], screen },
    {
      sentence: 'report the task as done',
      sure: 0.999,
      boxes: [],
      screen,
      nearly: { sentence: 'wait', probability: 0.02 },
    },
  ],
  last: screen,
  ending: 'finished',
  changes: [],
};

test('each step has its screen, action and probability, and the page is self-contained', () => {
  const page = filmstrip(ATTEMPT, 'somewhere', 'Nothing was changed.');
  expect(page.match(/data:image\/png;base64,/g)).toHaveLength(3);
  expect(page).toContain('80 % sure');
  expect(page).toContain('over 99 % sure; nearly: wait (2 %)');
  expect(page).toContain('Nothing was changed.');
  expect(page.match(/class="mark"/g)).toHaveLength(2);
  expect(page.match(/class="way"/g)).toHaveLength(1);
  expect(page.replaceAll('http://www.w3.org', '')).not.toMatch(/https?:|src=/);
});

test('texts of the desktop are escaped', () => {
  const page = filmstrip(ATTEMPT, '', '');
  expect(page).toContain('Move &quot;&lt;b&gt;&quot; &amp; go');
  expect(page).not.toContain('"<b>"');
});
