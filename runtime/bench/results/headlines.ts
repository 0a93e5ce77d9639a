// The few numbers that the readme shows, of all that were measured: the rows of a table between two marks. Pure.

import type { AskedBench } from './asked/asked.ts';
import { anchor } from './document.ts';
import { reaches, written, writtenBar, writtenCertainty } from './judged.ts';
import { nameOf, type Outcome } from './outcome.ts';

interface Headline {
  readonly bench: string;
  readonly measures: string;
  /** By its name, with what stands behind its number. */
  readonly figures: readonly (readonly [name: string, of: string])[];
}

const HEADLINES: readonly Headline[] = [
  {
    bench: 'learn',
    measures:
      'Learning, 40 minutes on two cores, shown five solutions of each task: solved on worlds that training never saw',
    figures: [
      ['tiers12_demos', 'of tiers 1–2'],
      ['tier3_demos', 'of tier 3'],
      ['tier4_demos', 'of tier 4'],
    ],
  },
  {
    bench: 'curation-ablation',
    measures: 'With adaptive curation, environment steps to the success at which plain GRPO ends',
    figures: [['dart_vs_grpo_steps', 'those that GRPO takes']],
  },
  {
    bench: 'curation',
    measures: 'Groups that carry a gradient, of as many rollouts, on the real rewards of 369 OSWorld tasks',
    figures: [['groups_per_1000_gain', 'those of the uniform rule']],
  },
  {
    bench: 'decoupling',
    measures:
      "Modules that never wait for one another, against ones that do, in simulated time: the least gain of three worlds (the paper's latencies, containers, pocket desktops)",
    figures: [
      ['worker_utilisation_gain', "the workers' time in use"],
      ['throughput_gain', 'the actions trained a minute'],
      ['environment_occupancy_gain', "the desktops with a live episode, with the paper's latencies"],
    ],
  },
];

const BEGIN = '<!-- written by `npm run bench -- results` -->';
const END = '<!-- as far as here -->';

/** The readme with its rows as they are now. */
export function withHeadlines(
  readme: string,
  asked: readonly AskedBench[],
  outcomes: readonly Outcome[],
  page: string,
): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin)
    throw new RangeError(`The readme has no place for what was measured: put '${BEGIN}' and '${END}' there.`);
  const rows = HEADLINES.map(headline => rowOf(headline, asked, outcomes, page));
  const table = ['| what | came to | asked |', '| --- | --- | --- |', ...rows];
  return `${readme.slice(0, begin)}${BEGIN}\n\n${table.join('\n')}\n\n${readme.slice(end)}`;
}

function rowOf(
  { bench, measures, figures }: Headline,
  asked: readonly AskedBench[],
  outcomes: readonly Outcome[],
  page: string,
): string {
  const known = asked.find(({ name }) => name === bench);
  if (known === undefined) throw new RangeError(`Nothing is asked of a benchmark '${bench}'.`);
  const link = `[${measures}](${page}#${anchor(known.title)})`;
  const outcome = outcomes.find(each => nameOf(each) === bench);
  const cells = figures.map(([name, of]) => {
    const figure = known.figures.find(each => each.name === name);
    if (figure === undefined) throw new RangeError(`Nothing is asked of '${name}' in '${bench}'.`);
    const { unit, bar } = figure;
    const value = outcome?.figures[name];
    if (value === undefined) return { came: 'not measured yet', bar: writtenBar(bar, unit) };
    const { low, high } = outcome?.certainty?.[name] ?? {};
    const sure = writtenCertainty(
      { ...(low !== undefined && { low }), ...(high !== undefined && { high }) },
      unit,
    );
    const number =
      reaches(value, bar) === false ? `${written(value, unit)} (missed)` : `**${written(value, unit)}**`;
    return {
      came: `${number} ${of}${sure === '' ? '' : ` (${sure})`}`,
      bar: writtenBar(bar, unit),
    };
  });
  return `| ${link} | ${cells.map(({ came }) => came).join('<br>')} | ${cells.map(({ bar }) => bar).join('<br>')} |`;
}
