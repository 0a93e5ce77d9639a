// The tasks on real desktops: each solution scores 1, and each near miss scores 0.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Desktop } from '../../../../runtime/core/desktop.ts';
import { DOCKER } from '../../../../runtime/environments/docker/tasks/suite.ts';
import { describeUnless } from '../engine.ts';
import { type Desktops, missingDesktops, realDesktops } from '../real-desktops.ts';
import { scoreOf } from './play.ts';

/** Two training seeds, two test seeds. */
const SEEDS = [
  DOCKER.seed('train', 0),
  DOCKER.seed('train', 1),
  DOCKER.seed('test', 0),
  DOCKER.seed('test', 1),
];
/** A fresh container for each attempt, on busy machines. */
const LONG = 600_000;

describeUnless(missingDesktops, 'tasks on real desktops', () => {
  let desktops: Desktops;
  let desktop: Desktop;

  beforeAll(async () => {
    desktops = await realDesktops();
    desktop = await desktops.open();
  }, LONG);
  afterAll(async () => {
    await desktop.close();
    await desktops.close();
  }, LONG);

  const ids = DOCKER.templates.map(({ id }) => id);

  test.each(ids)(
    '%s is solved by its script, in training and in tests',
    async id => {
      for (const seed of SEEDS)
        expect(await scoreOf(desktop, DOCKER, id, seed, DOCKER.made(id, seed).solution), `seed ${seed}`).toBe(
          1,
        );
    },
    LONG,
  );

  test.each(ids)(
    '%s gives nothing for doing nothing, nor for what is nearly right',
    async id => {
      const [seed] = SEEDS;
      if (seed === undefined) throw new RangeError('There is no seed.');
      const { misses } = DOCKER.made(id, seed);
      for (const [miss, script] of Object.entries({ nothing: [], ...misses }))
        expect(await scoreOf(desktop, DOCKER, id, seed, script), miss).toBe(0);
    },
    LONG,
  );
});
