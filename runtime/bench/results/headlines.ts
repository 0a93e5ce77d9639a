// The table of results in the README: a few figures with their conditions, and every bar that is missed or not measured. Pure.

import { formatBar, formatFigure, formatInterval, verdictOf } from './format.ts';
import { type BenchOutcome, figuresOf, outcomeName } from './outcome.ts';
import { anchor, sectionsOf } from './page.ts';

interface Headline {
  readonly bench: string;
  /** What was measured, and under which conditions. */
  readonly text: string;
  /** Name of the figure, and the words after its value. */
  readonly figures: readonly (readonly [name: string, words: string])[];
}

const HEADLINES: readonly Headline[] = [
  {
    bench: 'learn',
    text: 'Share of test instances that the policy solves after 40 minutes of training on two cores, with 5 demonstrations per task. Test instances have new names and layouts, but the phrasings of training. The policy also learns from hindsight relabelling, transferred demonstrations and imitation.',
    figures: [
      ['tiers12_demos', 'of tiers 1–2'],
      ['tier3_demos', 'of tier 3'],
      ['tier4_demos', 'of tier 4'],
      ['unseen', 'of kinds of tasks that were never trained'],
    ],
  },
  {
    bench: 'curation-ablation',
    text: 'Environment steps that DART needs to reach the final success of plain GRPO: tiers 2 and 3, 5 seeds. Both start from the same weights, trained by imitation. Distribution alignment seems to contribute most (two comparable pairs of trainings): both take random decisions, and only DART corrects for them.',
    figures: [['dart_vs_grpo_steps', 'of the steps of GRPO']],
  },
  {
    bench: 'curation',
    text: 'Groups with unequal rewards (only these train) per 1,000 rollouts, simulated on the recorded rewards of 369 OSWorld tasks with a policy that does not change. With all rules nothing is gained in the first epoch. The uniform rule plays every task in turn, 8 rollouts each. Intervals are over simulator seeds.',
    figures: [
      ['groups_per_1000_gain', 'of the uniform rule, in eight epochs'],
      ['rollouts_per_1000_gain', 'the same by rollouts in such groups'],
      ['gain_without_revisits', 'with the rules of the paper alone'],
    ],
  },
  {
    bench: 'decoupling',
    text: 'Modules that run independently, against coupled baselines that wait for each other, in simulated time. The strongest differs only in that all its workers load new weights at once. The gain needs rollouts that do not wait for each other together with weights that may be old (K > 0): the first alone gains nothing. The gains of workers and of actions are the smallest of three scenarios. The gain of desktops is from the scenario with the latencies of the paper, whose hang rate was set so that the weakest baseline idles as in the paper. Intervals are over simulator seeds.',
    figures: [
      ['worker_utilisation_gain', 'worker utilisation, against the weakest coupled baseline'],
      ['worker_utilisation_vs_best_grouped', 'against the strongest that plays a task at a time'],
      ['worker_utilisation_vs_best_coupled', 'against the strongest of all'],
      ['throughput_gain', 'trained actions per minute, against the weakest'],
      ['throughput_vs_best_grouped', 'against the strongest that plays a task at a time'],
      ['throughput_vs_best_coupled', 'against the strongest of all'],
      ['environment_occupancy_gain', 'desktops in an episode, against the weakest'],
      ['environment_occupancy_vs_best_coupled', 'against the strongest of all'],
      ['environment_occupancy_gain_without_hangs', 'against the weakest, without hangs'],
    ],
  },
  {
    bench: 'endpoint',
    text: 'A vision-language model behind an OpenAI-compatible server. Our side of a step: 1920×1080, five images in the history. Lost steps: 64 episodes against a server that answers in 500 ms, fails 11 % of the requests in seven ways, and is killed twice.',
    figures: [
      ['overhead_ms_p50', 'per step on our side, median'],
      ['episode_mb', 'of memory per live episode'],
      ['steps_lost', 'steps lost'],
    ],
  },
];

const BEGIN = '<!-- written by `npm run bench -- results` -->';
const END = '<!-- end of the written table -->';

/** The README with its table replaced. `link` leads to the page of all results. */
export function withHeadlines(readme: string, outcomes: readonly BenchOutcome[], link: string): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin)
    throw new RangeError(`README.md has no place for the results. Add '${BEGIN}' and '${END}' to it.`);
  const sections = sectionsOf(outcomes);
  const named = (name: string) => sections.filter(({ page }) => page.name === name);
  const rows = HEADLINES.flatMap(({ bench, text, figures }) =>
    named(bench).map(({ page, outcome }) => {
      const cells = figures.map(([name, words]) => {
        const spec = page.figures.find(each => each.name === name);
        if (spec === undefined)
          throw new RangeError(`'${bench}' has no figure '${name}'. Correct HEADLINES.`);
        const value = outcome && figuresOf(outcome)[name];
        const bar = formatBar(spec.bar, spec.unit) || '–';
        if (value === undefined) return { result: `not measured yet: ${words}`, bar };
        const certainty = outcome?.certainty?.[name] ?? {};
        const interval = formatInterval(certainty, spec.unit);
        const verdict = verdictOf(value, spec.bar, certainty);
        const mark =
          verdict === 'missed' ? ' (missed)' : verdict === 'met, not proven' ? ' (not proven)' : '';
        const figure = `**${formatFigure(value, spec.unit)}**${mark} ${words}`;
        return { result: interval === '' ? figure : `${figure} (${interval})`, bar };
      });
      const column = (of: 'result' | 'bar') => cells.map(cell => cell[of]).join('<br>');
      return `| [${page.title}](${link}#${anchor(page.title)}). ${text} | ${column('result')} | ${column('bar')} |`;
    }),
  );
  const open = outcomes.flatMap(outcome =>
    named(outcomeName(outcome)).flatMap(({ page: { title }, rows }) =>
      rows
        .filter(({ verdict }) => verdict === 'missed' || verdict === 'not measured')
        .map(
          ({ spec: { meaning, unit, bar }, value }) =>
            `[${title}](${link}#${anchor(title)}): ${meaning}, ${formatFigure(value, unit) || 'not measured'} (bar ${formatBar(bar, unit)})`,
        ),
    ),
  );
  const table = ['| what was measured | result | bar |', '| --- | --- | --- |', ...rows].join('\n');
  const sentence =
    open.length === 0 ? 'No bar is missed.' : `Bars that are missed or not measured:<br>${open.join('<br>')}`;
  return `${readme.slice(0, begin)}${BEGIN}\n\n${table}\n\n${sentence}\n\n${readme.slice(end)}`;
}
