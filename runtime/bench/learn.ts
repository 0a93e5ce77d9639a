// The learn benchmark: what the simple loop reaches within a given time, on instances that training never sees: from random
// weights with elements and pixels, from random weights with pixels only, and from a few demonstrations. Each part trains anew
// with every seed.

import type { Mode } from '../contracts/policy.ts';
import { systemClock } from '../daemon/clock.ts';
import type { Judged } from '../daemon/learn/calls.ts';
import { type Recipe, recipeFor, SCRATCH, TAUGHT } from '../daemon/learn/recipe.ts';
import { overall, scoresOf } from '../daemon/learn/scores.ts';
import { Training } from '../daemon/learn/training.ts';
import { POCKET, type Split } from '../environments/pocket/tasks/suite.ts';
import { COMPACT } from '../policy/network.ts';
import type { Benchmark, Figures, Report } from './report.ts';

/** Instances of each task in an evaluation. */
const INSTANCES = 20;
const DEMONSTRATIONS = 5;

const tier = (number: 1 | 2 | 3 | 4): readonly string[] => POCKET.tasks('train', number);
/** Tasks of tier 1 whose scripted solutions only click. */
const CLICKS = ['night-light', 'mute', 'bluetooth', 'notifications', 'theme'].map(name => `settings-${name}`);

interface Part {
  readonly figure: string;
  readonly minutes: number;
  readonly tasks: readonly string[];
  readonly mode: Mode;
  readonly recipe: Recipe;
  readonly demonstrations: number;
  /** What else is asked of the policy in the end, without having been trained on it. */
  readonly beside: Readonly<Record<string, { readonly split: Split; readonly tasks: readonly string[] }>>;
}

const PARTS: readonly Part[] = [
  {
    figure: 'tier1_elements_5min',
    minutes: 5,
    tasks: tier(1),
    mode: 'screenshot_a11y_tree',
    recipe: SCRATCH,
    demonstrations: 0,
    beside: {},
  },
  {
    figure: 'tier1_pixels_10min',
    minutes: 10,
    tasks: [...CLICKS, 'mail-star'],
    mode: 'screenshot',
    recipe: SCRATCH,
    demonstrations: 0,
    beside: {},
  },
  {
    figure: 'tiers12_demos',
    minutes: 15,
    tasks: [...tier(1), ...tier(2)],
    mode: 'screenshot_a11y_tree',
    recipe: TAUGHT,
    demonstrations: DEMONSTRATIONS,
    beside: {
      tier3_demos: { split: 'test', tasks: tier(3) },
      tier4_demos: { split: 'test', tasks: tier(4) },
      unseen: { split: 'unseen', tasks: POCKET.tasks('unseen') },
    },
  },
];

/** How one came out, and not what was done: an interrupted run keeps only what it needs. */
type Episode = Pick<Judged, 'task' | 'success'>;

/** What one training came to: success on each set of tasks, and what it took. */
interface Outcome {
  readonly scores: Readonly<Record<string, readonly Episode[]>>;
  readonly useful: number;
  readonly memory: number;
}

export const learn: Benchmark = {
  name: 'learn',
  summary: 'success on unseen instances after minutes of training, from nothing and from demonstrations',
  run: async (report, { minutes, seeds }) => {
    const whole = PARTS.reduce((sum, part) => sum + part.minutes, 0);
    const scale = minutes === undefined ? 1 : minutes / whole;
    const outcomes: Outcome[] = [];
    for (const part of PARTS) {
      for (let seed = 0; seed < seeds; seed++) {
        const name = `${part.figure}, seed ${seed}, ${(part.minutes * scale).toPrecision(3)} minutes`;
        outcomes.push(
          await report.part(name, PARTS.length * seeds, () => trained(part, seed, scale, report)),
        );
      }
    }
    const names = [...new Set(outcomes.flatMap(({ scores }) => Object.keys(scores)))];
    const figures: Record<string, number> = {};
    for (const name of names) {
      const { rate, low, high, successes, trials } = overall(
        scoresOf(outcomes.flatMap(({ scores }) => scores[name] ?? [])),
      );
      figures[name] = rate;
      report.say(
        `  ${name.padEnd(22)} ${percent(rate)}  ${successes}/${trials}  (95 %: ${percent(low)} to ${percent(high)})`,
      );
    }
    figures['useful_share'] = outcomes.reduce((sum, { useful }) => sum + useful, 0) / outcomes.length;
    figures['peak_rss_mb'] = Math.max(...outcomes.map(({ memory }) => memory));
    return {
      figures: rounded(figures),
      config: { minutes: PARTS.map(part => part.minutes * scale), shape: COMPACT, instances: INSTANCES },
      versions: { node: process.version },
    };
  },
};

async function trained(part: Part, seed: number, scale: number, report: Report): Promise<Outcome> {
  const { tasks, mode, recipe, demonstrations, beside, figure } = part;
  const seconds = 60 * part.minutes * scale;
  const training = await Training.open({
    entries: {
      player: new URL('./player.js', import.meta.url),
      student: new URL('./student.js', import.meta.url),
    },
    tasks,
    mode,
    shape: COMPACT,
    recipe: recipeFor(recipe, seconds),
    seed: `${figure}/${seed}`,
    clock: systemClock,
  });
  try {
    const started = systemClock.now();
    if (demonstrations > 0) await training.demonstrate(demonstrations);
    let told = 0;
    // Showing solutions is part of the time.
    await training.run(seconds - (systemClock.now() - started) / 1000, async passed => {
      if (passed - told < Math.max(30, seconds / 10)) return;
      told = passed;
      const { rate } = overall(scoresOf(await training.evaluate('test', tasks, 4)));
      report.say(`    ${passed.toFixed(0).padStart(4)} s  ${percent(rate)} of 4 instances a task`);
    });
    const episodesOf = async (split: Split, asked: readonly string[]): Promise<readonly Episode[]> =>
      (await training.evaluate(split, asked, INSTANCES)).map(({ task, success }) => ({ task, success }));
    const scores: Record<string, readonly Episode[]> = { [figure]: await episodesOf('test', tasks) };
    for (const [name, { split, tasks: others }] of Object.entries(beside))
      scores[name] = await episodesOf(split, others);
    const { student } = await training.progress(seconds);
    const useful = student.trained / Math.max(1, student.trained + student.filtered);
    return { scores, useful, memory: await training.memory() };
  } finally {
    await training.close();
  }
}

const percent = (rate: number): string => `${(100 * rate).toFixed(1)} %`;

const rounded = (figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(4))]));
