// The pocket benchmark: how fast the pocket desktop is along scripted solutions, on one core, and where its time goes; and
// how far acting at random gets on each tier.

import { NOTHING, recall } from '../../agent/episode-memory.ts';
import { encode } from '../../agent/observation.ts';
import { look } from '../../agent/observe-screen.ts';
import type { Action } from '../../core/action.ts';
import { desktopId, type Seed, seed } from '../../core/ids.ts';
import { seeded } from '../../core/rng.ts';
import { stepLimit } from '../../core/task.ts';
import { isSuccess } from '../../core/verdict.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import { type PocketMachine, RENDERER } from '../../environments/pocket/machine.ts';
import { randomAction } from '../../environments/pocket/random-agent.ts';
import { solutionOf } from '../../environments/pocket/solution.ts';
import { SCREEN, startOf } from '../../environments/pocket/start.ts';
import { POCKET } from '../../environments/pocket/tasks/suite.ts';
import type { PocketTemplate } from '../../environments/pocket/tasks/template.ts';
import { type Benchmark, type Figures, median } from '../report.ts';

const TIERS = [1, 2, 3, 4] as const;
const ROUNDS = 5;
const MODE = 'screenshot_a11y_tree';

export const pocket: Benchmark = {
  name: 'pocket',
  summary: 'steps of the pocket desktop a second, and what acting at random scores',
  run: async (report, { minutes = 1 }) => {
    const speed = await report.part('scripted solutions, again and again', 2, async () =>
      solutionsFor(minutes * 30),
    );
    const floor = await report.part('acting at random', 2, () => randomScores(minutes * 30));
    const figures: Figures = { ...speed, ...floor };
    const entries = Object.entries(figures).map(
      ([name, value]) => [name, Number(value.toPrecision(4))] as const,
    );
    for (const [name, value] of entries) report.say(`  ${name.padEnd(24)} ${value}`);
    return {
      figures: Object.fromEntries(entries),
      config: { screen: SCREEN, templates: POCKET.templates.length, renderer: RENDERER },
      versions: { node: process.version },
    };
  },
};

interface Recorded {
  readonly start: () => PocketMachine;
  readonly actions: readonly Action[];
  readonly instruction: string;
}

function recorded({ id }: PocketTemplate, number: Seed): Recorded {
  const task = POCKET.task(id, number);
  const { actions } = solutionOf(POCKET, task, number);
  return { start: () => startOf(task).machine, actions, instruction: task.instruction };
}

/**
 * Acting, drawing, reading the elements of every step, and encoding what a policy is shown of it: elements, what they look like,
 * and what was done before. The encoder reads the pixels where they lie. Starting an episode is told apart.
 */
function solutionsFor(seconds: number): Figures {
  const runs = POCKET.templates.flatMap(template =>
    [0, 1].map(index => recorded(template, POCKET.seed('train', index))),
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
      let recollection = NOTHING;
      let seen = look({ pixels, elements: machine.elements() }, instruction, MODE, recollection);
      for (const action of actions) {
        timed('perform', () => {
          machine.perform(action);
          machine.pixels();
        });
        const screen = { pixels, elements: timed('elements', () => machine.elements()) };
        timed('encode', () => {
          recollection = recall(recollection, seen, action, screen);
          seen = look(screen, instruction, MODE, recollection);
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

/** Success of a random agent that has the steps its tier allows, on training instances. */
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
    // One time in twenty it holds the task to be done, or to be impossible.
    const word = random.next();
    if (word < 0.05) {
      const ending = word < 0.025 ? 'finished' : 'fail';
      return isSuccess({ kind: 'judged', ending, verdict: await desktop.judge(ending) });
    }
    screen = await desktop.act(randomAction(random, screen.elements ?? [], SCREEN));
  }
  return isSuccess({ kind: 'judged', ending: 'capped', verdict: await desktop.judge('capped') });
}
