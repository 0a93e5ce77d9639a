// Robustness: a random agent plays many episodes of every task without an error.

import { expect, test } from 'vitest';
import { desktopId, seed } from '../../../runtime/core/ids.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { SCREEN } from '../../../runtime/environments/pocket/getters.ts';
import { randomAction } from '../../../runtime/environments/pocket/random-agent.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';

const EPISODES = 100;
const STEPS = 12;

test.each(POCKET.templates.map(({ id }) => id))(
  '%s: every random episode ends with a score from 0 to 1',
  async id => {
    const desktop = new PocketDesktop(desktopId('random'));
    for (let episode = 0; episode < EPISODES; episode++) {
      const task = POCKET.task(id, seed(episode));
      const random = seeded(`${id}/${episode}`);
      let screen = await desktop.reset(task, seed(episode));
      for (let step = 0; step < STEPS; step++) {
        screen = await desktop.act(randomAction(random, screen.elements ?? [], SCREEN));
      }
      const { score } = await desktop.judge('capped');
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
  },
);
