// Random agents for as long as one likes: ten thousand episodes, in which nothing may throw, every score lies between 0 and
// 1, and memory stays flat. `--seeds N` runs N times as many.

import { desktopId, seed } from '../../core/ids.ts';
import { seeded } from '../../core/rng.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import { randomAction } from '../../environments/pocket/random-agent.ts';
import { SCREEN } from '../../environments/pocket/start.ts';
import { POCKET } from '../../environments/pocket/tasks/suite.ts';
import type { Benchmark } from '../report.ts';

const EPISODES = 10_000;
const STEPS = 12;
/** Memory is compared after this share of the episodes and at the end, when caches and compiled code have settled. */
const SETTLED = 0.3;

export const endurance: Benchmark = {
  name: 'endurance',
  summary:
    'ten thousand random episodes on the pocket desktop: no exception, scores within bounds, flat memory',
  run: async (report, { seeds }) => {
    const episodes = EPISODES * seeds;
    const figures = await report.part(`${episodes} random episodes`, 1, () => wander(episodes));
    for (const [name, value] of Object.entries(figures)) report.say(`  ${name.padEnd(24)} ${value}`);
    return { figures, config: { episodes, steps: STEPS }, versions: { node: process.version } };
  },
};

async function wander(episodes: number) {
  const desktop = new PocketDesktop(desktopId('endurance'));
  const ids = [...POCKET.tasks('train'), ...POCKET.tasks('unseen')];
  const figures = { episodes, exceptions: 0, scores_out_of_bounds: 0, slowest_step_ms: 0, rss_growth_mb: 0 };
  let settled = 0;
  for (let episode = 0; episode < episodes; episode++) {
    if (episode === Math.floor(SETTLED * episodes)) settled = process.memoryUsage().rss;
    const id = ids[episode % ids.length];
    if (id === undefined) throw new RangeError('The suite has no tasks.');
    const number = seed(Math.floor(episode / ids.length));
    try {
      const task = POCKET.task(id, number);
      const random = seeded(`${id}/${number}`);
      let screen = await desktop.reset(task, number);
      for (let step = 0; step < STEPS; step++) {
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
  figures.rss_growth_mb = Math.round((process.memoryUsage().rss - settled) / 1e5) / 10;
  figures.slowest_step_ms = Math.round(figures.slowest_step_ms * 10) / 10;
  return figures;
}
