// Demonstrations on real Docker desktops: the raw events of scripted solutions become demonstrations that solve their tasks again.

import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../runtime/config/config.ts';
import { describeUnless } from '../environments/docker/engine.ts';
import { image, missingDesktops } from '../environments/docker/real-desktops.ts';
import { recordedByHand } from './by-hand.ts';

const COUNT = 10;

describeUnless(missingDesktops, 'demonstrations on real desktops', () => {
  test('ten of them by the events of a hand succeed, and so do their replays', async () => {
    const config = parseConfig({ environments: { kind: 'docker', docker: { image, spares: 0 } } });
    const made = await recordedByHand(config, COUNT, onTestFinished, 2);
    expect(made.map(({ phase, problem }) => problem ?? phase)).toEqual(made.map(() => 'saved'));
    expect(made.length).toBe(COUNT);
  });
});
