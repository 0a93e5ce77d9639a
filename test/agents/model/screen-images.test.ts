// The images of an episode: by content, once, and only those that messages can refer to.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ScreenImages } from '../../../runtime/agents/model/screen-images.ts';
import type { Pixels } from '../../../runtime/core/screen.ts';

const plain = (grey: number): Pixels => ({
  ...{ width: 3, height: 2, layout: 'rgb' },
  data: new Uint8Array(18).fill(grey),
});

const started = (window: number) => new ScreenImages({ sizeOf: screen => screen, window });

test('each distinct screen is added once, and the latest of the window are available', async () => {
  const greys = fc.array(fc.nat(4), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(greys, fc.integer({ min: 1, max: 5 }), async (all, window) => {
      const images = started(window);
      const hashes: string[] = [];
      for (const grey of all) {
        const { part, added } = await images.add(plain(grey));
        expect(part).toMatchObject({ type: 'image', width: 3, height: 2 });
        expect(added?.sha256).toBe(hashes.includes(part.sha256) ? undefined : part.sha256);
        hashes.push(part.sha256);
        for (const hash of hashes.slice(-window)) {
          const png = images.source(hash);
          expect(createHash('sha256').update(png).digest('hex')).toBe(hash);
          const url = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
          expect(Buffer.from(images.dataUrls(hash)).toString()).toBe(url);
        }
      }
      const distinct = [...new Set(hashes.toReversed())];
      for (const hash of distinct.slice(window)) expect(() => images.source(hash)).toThrow('image window');
      expect(new Set(hashes).size).toBe(new Set(all).size);
    }),
  );
});

test('cleared images are released', async () => {
  const images = started(2);
  const { part } = await images.add(plain(1));
  images.clear();
  expect(() => images.source(part.sha256)).toThrow(part.sha256);
  expect((await images.add(plain(1))).added?.sha256).toBe(part.sha256);
});

test('a window without room for the current image is rejected', () => {
  expect(() => started(0)).toThrow('0 images');
});
