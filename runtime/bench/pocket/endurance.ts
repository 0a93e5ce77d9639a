// The endurance benchmark: ten thousand episodes of random agents, without an exception, a score outside 0 to 1, or growing memory.
// `--seeds N` plays N times as many.

import { desktopId, seed } from '../../core/ids.ts';
import { seeded } from '../../core/rng.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import { SCREEN } from '../../environments/pocket/getters.ts';
import { randomAction } from '../../environments/pocket/random-agent.ts';
import { POCKET } from '../../environments/pocket/tasks/suite.ts';
import type { Benchmark } from '../report.ts';

const EPISODES = 10_000;
const STEPS_PER_EPISODE = 12;
/** Growth of memory counts from here: before, caches fill and code is compiled. */
const WARM_UP_SHARE = 0.3;

export const endurance: Benchmark = {
  name: 'endurance',
  summary: 'ten thousand random episodes on the pocket desktop: exceptions, scores, memory',
  run: async (report, { seeds }) => {
    const episodes = EPISODES * seeds;
    const figures = await report.part(`${episodes} random episodes`, 1, () => playRandomly(episodes));
    return { figures, config: { episodes, steps: STEPS_PER_EPISODE } };
  },
};

async function playRandomly(episodes: number) {
  const desktop = new PocketDesktop(desktopId('endurance'));
  const ids = [...POCKET.tasks('train'), ...POCKET.tasks('unseen')];
  const figures = { episodes, exceptions: 0, scores_out_of_bounds: 0, slowest_step_ms: 0, rss_growth_mb: 0 };
  let warmBytes = 0;
  for (let episode = 0; episode < episodes; episode++) {
    if (episode === Math.floor(WARM_UP_SHARE * episodes)) warmBytes = process.memoryUsage().rss;
    const id = ids[episode % ids.length];
    if (id === undefined) throw new RangeError('The pocket suite has no tasks.');
    const number = seed(Math.floor(episode / ids.length));
    try {
      const task = POCKET.task(id, number);
      const random = seeded(`${id}/${number}`);
      let screen = await desktop.reset(task, number);
      for (let step = 0; step < STEPS_PER_EPISODE; step++) {
        const action = randomAction(random, screen.elements ?? [], SCREEN);
        const start = performance.now();
        screen = await desktop.act(action);
        figures.slowest_step_ms = Math.max(figures.slowest_step_ms, performance.now() - start);
      }
      const { score } = await desktop.judge('capped');
      if (!(score >= 0 && score <= 1)) figures.scores_out_of_bounds += 1;
    } catch (error) {
      figures.exceptions += 1;
      process.stderr.write(`${id}, seed ${number}: ${error instanceof Error ? error.stack : error}\n`);
    }
  }
  figures.rss_growth_mb = Math.round((process.memoryUsage().rss - warmBytes) / 1e5) / 10;
  return figures;
}
