// The tasks of the large image on real desktops: each solution scores 1. One instance of each task, and a sample on the largest screen.
// With DARTBOARD_ALL_SEEDS=1 also more instances, every near miss, and every task on the largest screen; that takes an hour.
//
// `npm run test:large` runs it. It is no part of CI, where building the image alone takes ten minutes.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DockerDesktop } from '../../../../runtime/environments/docker/desktop.ts';
import type { ScreenSize } from '../../../../runtime/environments/docker/screen-size.ts';
import { DOCKER, DOCKER_LARGE } from '../../../../runtime/environments/docker/tasks/suite.ts';
import { describeUnless } from '../engine.ts';
import { type Desktops, largeDesktops, missingLargeDesktops } from '../real-desktops.ts';
import { scoreOf } from './play.ts';

/** The tests of the small image play the tasks that both have; a full run plays them on the large image as well. */
const isFull = process.env['DARTBOARD_ALL_SEEDS'] !== undefined;
const small = new Set(DOCKER.templates.map(({ id }) => id));
const all = DOCKER_LARGE.templates.map(({ id }) => id);
const own = all.filter(id => !small.has(id));
const ids = isFull ? all : own;
const SAMPLE = [
  'calc-cell',
  'document-replace',
  'slides-title',
  'mail-draft',
  'picture-scale',
  'page-to-table',
];
const LONG = 600_000;

/** Training and test instances take turns. */
const seedsOf = (id: string) =>
  isFull
    ? [0, 1].flatMap(index => [DOCKER_LARGE.seed('train', index), DOCKER_LARGE.seed('test', index)])
    : [DOCKER_LARGE.seed(all.indexOf(id) % 2 === 0 ? 'train' : 'test', 0)];

function describeScreen(screen: ScreenSize, tests: (desktop: () => DockerDesktop) => void): void {
  describeUnless(missingLargeDesktops, `tasks of the large image at ${screen}`, () => {
    let desktops: Desktops;
    let desktop: DockerDesktop;
    let first: readonly string[];
    beforeAll(async () => {
      desktops = await largeDesktops(screen);
      desktop = await desktops.open();
      first = await desktops.there();
    }, LONG);
    afterAll(async () => {
      await desktop.close();
      await desktops.close();
    }, LONG);
    tests(() => desktop);
    test('every reset was clean, so one container played all of them', async () => {
      expect(await desktops.there()).toEqual(first);
    });
  });
}

describeScreen('1280x720', desktop => {
  test.each(ids)(
    '%s is solved by its script',
    async id => {
      for (const seed of seedsOf(id)) {
        const { solution } = DOCKER_LARGE.made(id, seed);
        expect(await scoreOf(desktop(), DOCKER_LARGE, id, seed, solution), `seed ${seed}`).toBe(1);
      }
    },
    LONG,
  );

  if (isFull)
    test.each(ids)(
      '%s gives nothing for doing nothing, nor for what is nearly right',
      async id => {
        const seed = DOCKER_LARGE.seed('train', 0);
        for (const [miss, script] of Object.entries({
          nothing: [],
          ...DOCKER_LARGE.made(id, seed).misses,
        }))
          expect(await scoreOf(desktop(), DOCKER_LARGE, id, seed, script), miss).toBe(0);
      },
      LONG,
    );
});

describeScreen('1920x1080', desktop => {
  test.each(isFull ? ids : SAMPLE)(
    '%s is solved by its script',
    async id => {
      const seed = DOCKER_LARGE.seed('test', 1);
      const { solution } = DOCKER_LARGE.made(id, seed);
      expect(await scoreOf(desktop(), DOCKER_LARGE, id, seed, solution)).toBe(1);
    },
    LONG,
  );
});
