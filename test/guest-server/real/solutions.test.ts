// Whole tasks of the Docker suite, played by a guest over OSWorld's API: each solution scores 1, and doing nothing scores 0. Every third
// task; all of them with DARTBOARD_ALL_SEEDS=1.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Desktop } from '../../../runtime/core/desktop.ts';
import { DOCKER } from '../../../runtime/environments/docker/tasks/suite.ts';
import { type SolutionScript, solverOf } from '../../../runtime/environments/template/solution.ts';
import { describeUnless } from '../../environments/docker/engine.ts';
import { missingDesktops } from '../../environments/docker/real-desktops.ts';
import { type Guests, guestsAt } from './guest-of-container.ts';
import { type RealServer, realServer } from './real-server.ts';

const SEED = DOCKER.seed('train', 0);
/** A guest has no getter for elements, which OSWorld does not have. */
const IDS = DOCKER.templates
  .map(({ id }) => id)
  .filter(id => !JSON.stringify(DOCKER.task(id, SEED).evaluator).includes('vm_element'));

describeUnless(missingDesktops, 'tasks of Docker desktops on a guest', () => {
  let server: RealServer;
  let guests: Guests;
  let desktop: Desktop;

  beforeAll(async () => {
    server = await realServer();
    guests = await guestsAt(
      server.addresses,
      IDS.map(id => DOCKER.task(id, SEED)),
    );
    desktop = await guests.open();
  });
  afterAll(async () => {
    await desktop?.close();
    await server?.close();
  });

  async function scoreOf(id: string, script: SolutionScript): Promise<number> {
    let screen = await desktop.reset(guests.provider.suite.task(id, SEED), SEED);
    const solve = solverOf(id, script);
    for (;;) {
      const action = solve(screen);
      if (action.kind === 'finished' || action.kind === 'fail')
        return (await desktop.judge(action.kind)).score;
      screen = await desktop.act(action);
    }
  }

  test('all tasks can be translated', () => {
    expect(guests.reports).toEqual([]);
    expect(IDS.length).toBeGreaterThan(20);
  });

  const isFull = process.env['DARTBOARD_ALL_SEEDS'] !== undefined;
  test.each(IDS.filter((_, index) => isFull || index % 3 === 0))('%s', async id => {
    expect(await scoreOf(id, DOCKER.made(id, SEED).solution), 'its solution').toBe(1);
    expect(await scoreOf(id, []), 'nothing').toBe(0);
  });
});
