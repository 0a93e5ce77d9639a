// The pocket benchmark: speed of the pocket desktop along scripted solutions on one core, the shares of its time, and the success of
// random actions on each tier.

import { EMPTY_MEMORY, updateMemory } from '../../agents/compact/episode-memory.ts';
import { encode } from '../../agents/compact/observation.ts';
import { observeScreen } from '../../agents/compact/observe-screen.ts';
import type { Action } from '../../core/action.ts';
import { desktopId, type Seed, seed } from '../../core/ids.ts';
import { seeded } from '../../core/rng.ts';
import { stepLimit } from '../../core/task.ts';
import { isSuccess } from '../../core/verdict.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import { SCREEN, startOf } from '../../environments/pocket/getters.ts';
import { type PocketMachine, RENDERER } from '../../environments/pocket/machine.ts';
import { randomAction } from '../../environments/pocket/random-agent.ts';
import { POCKET, solutionOf } from '../../environments/pocket/tasks/suite.ts';
import type { PocketTemplate } from '../../environments/pocket/tasks/template.ts';
import { type Benchmark, type Figures, median } from '../report.ts';

const TIERS = [1, 2, 3, 4] as const;
const ROUNDS = 5;
const MODE = 'screenshot_a11y_tree';

export const pocket: Benchmark = {
  name: 'pocket',
  summary: 'steps per second of the pocket desktop, and success of random actions',
  run: async (report, { minutes = 1 }) => {
    const speed = await report.part('scripted solutions', 2, async () => measureSolutions(minutes * 30));
    const random = await report.part('random actions', 2, () => randomScores(minutes * 30));
    return {
      figures: { ...speed, ...random },
      config: { screen: SCREEN, templates: POCKET.templates.length, renderer: RENDERER },
    };
  },
};

interface RecordedSolution {
  readonly start: () => PocketMachine;
  readonly actions: readonly Action[];
  readonly instruction: string;
}

function record({ id }: PocketTemplate, number: Seed): RecordedSolution {
  const task = POCKET.task(id, number);
  const { actions } = solutionOf(POCKET, task, number);
  return { start: () => startOf(task).machine, actions, instruction: task.instruction };
}

/** Times acting, drawing, listing elements and encoding the observation of every step. The start of an episode does not count. */
function measureSolutions(seconds: number): Figures {
  const runs = POCKET.templates.flatMap(template =>
    [0, 1].map(index => record(template, POCKET.seed('train', index))),
  );
  const rates: number[] = [];
  const spent = { perform: 0, elements: 0, encode: 0, start: 0 };
  const total = () => spent.perform + spent.elements + spent.encode;
  const timed = <T>(part: keyof typeof spent, work: () => T): T => {
    const from = performance.now();
    const result = work();
    spent[part] += performance.now() - from;
    return result;
  };
  const pass = (): number => {
    let steps = 0;
    for (const { start, actions, instruction } of runs) {
      const machine = timed('start', start);
      const pixels = { layout: 'rgba', ...SCREEN, data: timed('start', () => machine.pixels()) } as const;
      let recollection = EMPTY_MEMORY;
      let seen = observeScreen({ pixels, elements: machine.elements() }, instruction, MODE, recollection);
      for (const action of actions) {
        timed('perform', () => {
          machine.perform(action);
          machine.pixels();
        });
        const screen = { pixels, elements: timed('elements', () => machine.elements()) };
        timed('encode', () => {
          recollection = updateMemory(recollection, seen, action, screen);
          seen = observeScreen(screen, instruction, MODE, recollection);
          encode(seen);
        });
      }
      steps += actions.length;
    }
    return steps;
  };
  pass();
  for (let round = 0; round < ROUNDS; round++) {
    const before = total();
    const end = performance.now() + (1000 * seconds) / ROUNDS;
    let steps = 0;
    do steps += pass();
    while (performance.now() < end);
    rates.push((1000 * steps) / (total() - before));
  }
  const whole = total();
  return {
    steps_per_s: median(rates),
    perform_share: spent.perform / whole,
    elements_share: spent.elements / whole,
    encode_share: spent.encode / whole,
  };
}

/** Success of random actions within the step limit, on training instances. */
async function randomScores(seconds: number): Promise<Figures> {
  const tallies = new Map(TIERS.map(tier => [tier, { episodes: 0, successes: 0 }]));
  const end = performance.now() + 1000 * seconds;
  let round = 0;
  do {
    for (const template of POCKET.templates) {
      const tally = tallies.get(template.tier);
      if (tally === undefined) continue;
      tally.episodes += 1;
      if (await succeedsAtRandom(template, POCKET.seed('train', round), `${template.id}/${round}`))
        tally.successes += 1;
    }
    round += 1;
  } while (performance.now() < end);
  return Object.fromEntries([
    ...[...tallies]
      .filter(([, { episodes }]) => episodes > 0)
      .map(([tier, { episodes, successes }]) => [`random_tier${tier}`, successes / episodes]),
    ['random_episodes', [...tallies.values()].reduce((sum, { episodes }) => sum + episodes, 0)],
  ]);
}

async function succeedsAtRandom(template: PocketTemplate, number: Seed, label: string): Promise<boolean> {
  const task = POCKET.task(template.id, number);
  const desktop = new PocketDesktop(desktopId('random'));
  const random = seeded(label);
  let screen = await desktop.reset(task, seed(0));
  for (let step = 0; step < stepLimit(task); step++) {
    // One action in twenty ends the episode as finished or infeasible.
    const chance = random.next();
    if (chance < 0.05) {
      const ending = chance < 0.025 ? 'finished' : 'fail';
      return isSuccess({ kind: 'judged', ending, verdict: await desktop.judge(ending) });
    }
    screen = await desktop.act(randomAction(random, screen.elements ?? [], SCREEN));
  }
  return isSuccess({ kind: 'judged', ending: 'capped', verdict: await desktop.judge('capped') });
}
