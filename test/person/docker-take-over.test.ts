// People on Docker desktops: one of two that play is taken over and given back, and an agent acts live.

import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../runtime/config/config.ts';
import { DOCKER } from '../../runtime/environments/docker/tasks/suite.ts';
import { describeUnless } from '../environments/docker/engine.ts';
import { image, missingDesktops } from '../environments/docker/real-desktops.ts';
import { actedLive, openForTest, scriptedActions, takenOver } from './real-desktops.ts';

const CONFIG = parseConfig({
  ...{ demonstrations: 0, preset: 'scratch' },
  environments: { kind: 'docker', desktops: 2, docker: { image, spares: 0 } },
  evaluation: { desktops: 1 },
});
const TASK = 'note-write';

describeUnless(missingDesktops, 'on Docker desktops', () => {
  describe('one of two that a person takes over', () => {
    takenOver(() => ({
      ...{ config: CONFIG, task: TASK, orders: 2 },
      solution: instance => scriptedActions(CONFIG, instance),
    }));
  });

  test('an agent acts live, and a correction teaches from where the person began', async () => {
    const opened = await openForTest(CONFIG);
    const seed = DOCKER.seed('train', 0);
    const instance = { task: DOCKER.task(TASK, seed).id, seed };
    const actions = await scriptedActions(CONFIG, instance);
    expect(actions.length).toBeGreaterThan(1);
    await actedLive({ config: CONFIG, instance, actions, opened });
  });
});
