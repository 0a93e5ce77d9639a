// The own tasks on a real web desktop: each solution scores 1, each near miss scores 0, and so does doing nothing. And the check of task files
// of users.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { desktopId, type Seed } from '../../../../runtime/core/ids.ts';
import { systemClock } from '../../../../runtime/core/system-clock.ts';
import { checkTask } from '../../../../runtime/environments/task-check.ts';
import { scriptedSuite } from '../../../../runtime/environments/template/suite.ts';
import { checkableTasks, playScript } from '../../../../runtime/environments/template/task-scripts.ts';
import { templateReader } from '../../../../runtime/environments/template/template.ts';
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

  describe('the check of the example of the guide', () => {
    const guide = readFileSync(new URL('../../../../docs/tasks.md', import.meta.url), 'utf8');
    const [, example = ''] = /## Tasks of web desktops[\s\S]*?```json\n([\s\S]*?)```/.exec(guide) ?? [];

    const check = async (change: (file: { dartboard: { solution: unknown[][] } }) => void) => {
      const file = JSON.parse(example);
      change(file);
      const template = templateReader({ parts: {}, values: {} })(file, 'mine.json');
      const suite = scriptedSuite('mine', 'chromium', [template]);
      const [task] = checkableTasks(suite, desktop);
      if (task === undefined) throw new RangeError('There is no task.');
      return checkTask(task, [suite.seed('train', 0), suite.seed('test', 0)]);
    };

    test('finds no faults, and needs each step', async () => {
      expect(await check(() => undefined)).toMatchObject({ instances: 2, faults: [], unneeded: [] });
    });

    test('names a step that the evaluator does not look at', async () => {
      const { faults, unneeded } = await check(({ dartboard }) =>
        dartboard.solution.push(['keys', 'escape']),
      );
      expect(faults).toEqual([]);
      expect(unneeded).toEqual([{ step: 3, text: '["keys","escape"]' }]);
    });

    test('blames the script for a point off the screen', async () => {
      const { faults } = await check(({ dartboard }) => dartboard.solution.push(['point', 1000, 100]));
      expect(faults[0]).toMatch(/^instance 0: the solution cannot be played: .*1000/);
    });

    test('reports a solution without an end in each instance', async () => {
      const { faults } = await check(({ dartboard }) => dartboard.solution.pop());
      expect(faults[0]).toMatch(/^instance 0: the solution scores 0: /);
      expect(faults[1]).toMatch(/^instance 1000: the solution scores 0: /);
    });
  });

  describe.each(WEB.templates.map(({ id }) => id))('%s', id => {
    test('is solved by its script, in training and in tests', async () => {
      for (const seed of SEEDS) {
        const { score, why } = await playScript(desktop, WEB, { id, seed }, WEB.made(id, seed).solution);
        expect(score, `seed ${seed}: ${why}`).toBe(1);
      }
    });

    test('gives nothing for doing nothing, nor for what is nearly right', async () => {
      for (const seed of MISS_SEEDS) {
        const { misses } = WEB.made(id, seed);
        for (const [miss, script] of Object.entries({ nothing: [], ...misses })) {
          const { score, why } = await playScript(desktop, WEB, { id, seed }, script);
          expect(score, `seed ${seed}, ${miss}: ${why}`).toBe(0);
        }
      }
    });
  });
});
