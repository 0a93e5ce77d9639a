// Learners as a run opens them. Needs the bundles that `npm test` builds first.

import { existsSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { encodeMicro } from '../../../runtime/agents/micro/weights-file.ts';
import { version } from '../../../runtime/core/ids.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { Learner } from '../../../runtime/learner/learner.ts';
import { type LearnerContext, openLearner } from '../../../runtime/run/trainer/open-learner.ts';
import { TINY, tinyWeights } from '../../agents/micro/tiny.ts';
import { folder as newFolder } from '../../data/trajectories.ts';

const LIVE = new AbortController().signal;

const contextOf = (folder: string): LearnerContext => ({
  ...{ folder, seed: '1', needsReference: false, environment: {}, clock: systemClock, signal: LIVE },
  waiting: () => undefined,
  images: () => Promise.reject(new Error('No image is used.')),
  exchangeOf: async () => undefined,
  engineEntry: new URL('../../../dist/engine.js', import.meta.url),
});

/** The learner of the micro model in a folder, until the test ends. */
async function openedIn(folder: string): Promise<Learner> {
  const weights = join(folder, 'micro.safetensors');
  writeFileSync(weights, encodeMicro({ shape: TINY, version: version(0), weights: tinyWeights('a') }));
  const settings = { learner: { kind: 'in-process', weights } } as const;
  const learner = await openLearner('micro', settings, contextOf(folder));
  onTestFinished(() => learner.close());
  return learner;
}

test('the learner of the micro model deletes a saved state that is forgotten', async () => {
  const folder = newFolder();
  const learner = await openedIn(folder);
  const [first, second] = [await learner.save('first', LIVE), await learner.save('second', LIVE)];
  const isThere = (saved: string) => existsSync(join(folder, 'micro', saved));
  expect([first, second].map(isThere)).toEqual([true, true]);
  await learner.forget?.(first);
  expect([first, second].map(isThere)).toEqual([false, true]);
});

test('weights are published with an absolute path, although the folder of the run is relative', async () => {
  const learner = await openedIn(relative(process.cwd(), newFolder()));
  const { path } = await learner.publish(LIVE);
  expect(isAbsolute(path)).toBe(true);
  expect(existsSync(path)).toBe(true);
});
