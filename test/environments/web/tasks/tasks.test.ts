// The own tasks on a real web desktop: each solution scores 1, each near miss scores 0, and so does doing nothing.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { desktopId, type Seed } from '../../../../runtime/core/ids.ts';
import { systemClock } from '../../../../runtime/core/system-clock.ts';
import { type SolutionScript, solverOf } from '../../../../runtime/environments/template/solution.ts';
import type { Browsers } from '../../../../runtime/environments/web/browsers.ts';
import { WebDesktop } from '../../../../runtime/environments/web/desktop.ts';
import { PAGES_HOST, pagesFolder } from '../../../../runtime/environments/web/tasks/pages.ts';
import { WEB } from '../../../../runtime/environments/web/tasks/suite.ts';
import { INSTALLED_BROWSERS, NO_BROWSER, openBrowsers } from '../browsers.ts';

const [browser] = INSTALLED_BROWSERS;
if (browser === undefined) process.stderr.write(`${NO_BROWSER}\n`);

const SIZE = { width: 480, height: 360 };
const seedsOf = (split: 'train' | 'test', count: number): readonly Seed[] =>
  Array.from({ length: count }, (_, index) => WEB.seed(split, index));
/** As many seeds of each split. */
const [SOLVED, MISSED] = [8, 2];
const SEEDS = [...seedsOf('train', SOLVED), ...seedsOf('test', SOLVED)];
const MISS_SEEDS = seedsOf('test', MISSED);

describe.skipIf(browser === undefined)('tasks on a web desktop', () => {
  let browsers: Browsers;
  let desktop: WebDesktop;

  beforeAll(() => {
    if (browser === undefined) throw new RangeError('There is no browser.');
    browsers = openBrowsers(browser, [[PAGES_HOST, pagesFolder()]]);
    const options = {
      browsers,
      size: SIZE,
      allow: [],
      miniwob: undefined,
      files: undefined,
      clock: systemClock,
    };
    desktop = new WebDesktop(desktopId('web-1'), options);
  });
  afterAll(async () => {
    await desktop.close();
    await browsers.close();
  });

  async function play(id: string, seed: Seed, script: SolutionScript) {
    let screen = await desktop.reset(WEB.task(id, seed), seed);
    const solve = solverOf(id, script);
    for (;;) {
      const action = solve(screen);
      const { kind } = action;
      if (kind === 'finished' || kind === 'fail') return desktop.judge(kind);
      screen = await desktop.act(action);
    }
  }

  describe.each(WEB.templates.map(({ id }) => id))('%s', id => {
    test('is solved by its script, in training and in tests', async () => {
      for (const seed of SEEDS) {
        const { score, why } = await play(id, seed, WEB.made(id, seed).solution);
        expect(score, `seed ${seed}: ${why}`).toBe(1);
      }
    });

    test('gives nothing for doing nothing, nor for what is nearly right', async () => {
      for (const seed of MISS_SEEDS) {
        const { misses } = WEB.made(id, seed);
        for (const [miss, script] of Object.entries({ nothing: [], ...misses })) {
          const { score, why } = await play(id, seed, script);
          expect(score, `seed ${seed}, ${miss}: ${why}`).toBe(0);
        }
      }
    });
  });
});
