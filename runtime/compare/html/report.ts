// The report of a comparison: one HTML file without scripts and without other files. Pure.

import { curveClass } from '../../run/curves/svg.ts';
import { plural } from '../../run/number-format.ts';
import type { ArmDifference, ArmSummary, RunsComparison } from '../comparison.ts';
import { findingsOf } from '../findings.ts';
import { formatCount, formatRate, formatReach } from '../numbers.ts';
import { MAX_ARRANGEMENTS, RANDOM_ARRANGEMENTS } from '../statistics/permutation.ts';
import { curationCharts, curationTable, successCharts } from './charts.ts';
import { el, type Markup, type MarkupChild, nameMarkup } from './markup.ts';
import { programTable, runTable, settingsTable } from './run-tables.ts';
import { REPORT_STYLE } from './style.ts';
import { taskTable } from './task-table.ts';

export function htmlOf(comparison: RunsComparison): string {
  const title = titleOf(comparison);
  const head = el(
    'head',
    {},
    el('meta', { charset: 'utf-8' }),
    el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    // Whatever a name contains, nothing runs and nothing is loaded.
    el('meta', {
      'http-equiv': 'Content-Security-Policy',
      content: "default-src 'none'; style-src 'unsafe-inline'",
    }),
    el('title', {}, title),
    { html: `<style>${REPORT_STYLE}</style>` },
  );
  const page = el('html', { lang: 'en' }, head, el('body', {}, el('main', {}, contentOf(comparison, title))));
  return `<!doctype html>\n${page.html}\n`;
}

const contentOf = (comparison: RunsComparison, title: string): readonly MarkupChild[] => [
  headerOf(comparison, title),
  missingOf(comparison),
  armCards(comparison),
  findingsPart(comparison),
  curvesPart(comparison),
  ...comparison.differences.map(difference => tasksPart(difference, comparison)),
  curationPart(comparison),
  runsPart(comparison),
  footerOf(comparison),
];

function titleOf({ arms, runs }: RunsComparison): string {
  const [first, second, ...others] = arms;
  if (first !== undefined && second !== undefined && others.length === 0)
    return `${first.name} against ${second.name}`;
  return runs.length === 1 ? `Report of ${runs[0]?.name ?? 'a run'}` : `Comparison of ${runs.length} runs`;
}

function headerOf({ createdAt, dartboard, runs, arms }: RunsComparison, title: string): Markup {
  const day = new Date(createdAt).toISOString().replace('T', ' ').slice(0, 16);
  const desktops = [...new Set(runs.flatMap(run => run.desktops ?? []))];
  const evaluations = runs.filter(({ kind }) => kind === 'evaluation').length;
  const parts = [
    plural(runs.length - evaluations, 'run'),
    ...(evaluations > 0 ? [plural(evaluations, 'evaluation')] : []),
    plural(arms.length, 'arm'),
    ...(desktops.length === 0 ? [] : [desktops.join(', ')]),
    `${day} UTC`,
    `Dartboard ${dartboard}`,
  ];
  return el(
    'header',
    {},
    el('p', { class: 'eyebrow' }, 'Comparison of runs'),
    el('h1', {}, title),
    el('p', { class: 'faint' }, parts.join(' · ')),
  );
}

function missingOf({ missing }: RunsComparison): Markup | undefined {
  if (missing.length === 0) return undefined;
  return el(
    'section',
    { class: 'card missing' },
    el('b', {}, 'Missing in this report'),
    el(
      'ul',
      {},
      missing.map(({ run, message }) => el('li', {}, el('b', {}, run), `: ${message}`)),
    ),
  );
}

function armCards({ arms, runs, differences }: RunsComparison): Markup {
  const cards = arms.map((arm, index) => {
    const own = runs.filter(({ name, kind }) => isMember(arm, name, kind));
    const seeds = [...new Set(own.flatMap(({ seed }) => seed ?? []))];
    const what =
      arm.kind === 'evaluation'
        ? 'evaluation of an agent'
        : `${plural(own.length, 'run')}${seeds.length > 0 ? `, ${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}` : ''}`;
    return el(
      'div',
      { class: 'card arm', style: `--colour: var(--${curveClass(index)})` },
      el('h2', {}, el('span', { class: 'letter' }, arm.letter), ' ', nameMarkup(arm.name)),
      el('p', { class: 'faint' }, what),
      ratePart(arm, own, differences),
    );
  });
  return el('div', { class: 'arms' }, cards);
}

const isMember = (arm: ArmSummary, name: string, kind: 'run' | 'evaluation'): boolean =>
  arm.members.includes(name) && (arm.kind === 'evaluation') === (kind === 'evaluation');

/** The rate of the differences where there are some, so that the card and the findings agree. */
function ratePart(
  { letter }: ArmSummary,
  own: RunsComparison['runs'],
  differences: readonly ArmDifference[],
): readonly Markup[] {
  const found = differences.find(({ arms }) => arms.includes(letter));
  const compared = found?.sides[found.arms.indexOf(letter)];
  const rate = compared ?? (own.length === 1 ? own[0]?.success : undefined);
  if (rate === undefined) return [];
  const where =
    found === undefined
      ? 'of the last evaluation'
      : `of ${formatCount(found.instances)} common test instances`;
  const reach = el('small', {}, `95\u00a0%: ${formatReach(rate)}`);
  return [el('p', { class: 'rate' }, formatRate(rate.rate), ' ', reach), el('p', { class: 'faint' }, where)];
}

function findingsPart(comparison: RunsComparison): Markup | undefined {
  const findings = findingsOf(comparison);
  if (findings.length === 0) return undefined;
  const items = findings.map(({ title, details }) =>
    el(
      'li',
      { class: 'card' },
      el('b', {}, title),
      details.map(each => el('p', { class: 'faint' }, unbroken(each))),
    ),
  );
  return el('section', {}, el('h2', {}, 'Findings'), el('ul', { class: 'findings' }, items));
}

/** No line break inside '95 %' and 'p = 0.05'. */
const unbroken = (text: string): string =>
  text.replaceAll(/(\d) %/g, '$1\u00a0%').replaceAll('p = ', 'p\u00a0=\u00a0');

function curvesPart(comparison: RunsComparison): Markup | undefined {
  const charts = successCharts(comparison);
  if (charts.length === 0) return undefined;
  const hasMeans = comparison.curves.some(({ arms }) => arms.some(({ members }) => members.length > 1));
  const explained = hasMeans
    ? "A thick line is the mean of the runs of an arm over the range that all of them cover, its band the 95 % interval over seeds (Student's t). Each thin line is one run. The band of a single run is its interval clustered by task."
    : 'The band is the 95 % interval, clustered by task.';
  return el(
    'section',
    {},
    el('h2', {}, 'Success on test instances'),
    el('p', { class: 'faint' }, explained),
    el('div', { class: 'charts' }, charts),
  );
}

function tasksPart(difference: ArmDifference, { arms }: RunsComparison): Markup {
  const [first, second] = difference.arms;
  const colour = (letter: string, side: number): string => {
    const index = arms.findIndex(arm => arm.letter === letter);
    return `var(--${curveClass(index < 0 ? side : index)})`;
  };
  const evaluated = difference.evaluated.map(members =>
    members
      .map(({ name, version, seconds, episodes, broken }) => {
        const when =
          seconds === undefined ? '' : ` after ${Math.round(seconds / 6) / 10} min (version ${version})`;
        return `${name}${when}: ${episodes} episodes${broken > 0 ? `, ${broken} broken` : ''}`;
      })
      .join('; '),
  );
  const leftOut =
    difference.leftOut === 0
      ? ''
      : ` ${difference.leftOut} instances were played by some of the runs only and are left out.`;
  const test =
    difference.taskTest === 'fisher'
      ? "p is that of Fisher's exact test of the two runs"
      : `p is that of a permutation of the runs between the arms: over all arrangements, or over ${formatCount(RANDOM_ARRANGEMENTS)} random ones where there are more than ${formatCount(MAX_ARRANGEMENTS)}`;
  return el(
    'section',
    { style: `--first: ${colour(first, 0)}; --second: ${colour(second, 1)}` },
    el('h2', {}, `Tasks: ${first} against ${second}`),
    el(
      'p',
      { class: 'faint' },
      `The last evaluation of each run, on the instances that all runs played; the largest difference in favour of ${first} first, in percentage points. ${test}, without a correction and with Holm's over all tasks. ✱ marks differences that are significant after it.${leftOut}`,
    ),
    taskTable(difference),
    el('details', {}, el('summary', {}, 'Evaluations that were used'), [
      el('p', {}, `${first}: ${evaluated[0] ?? ''}`),
      el('p', {}, `${second}: ${evaluated[1] ?? ''}`),
    ]),
  );
}

function curationPart(comparison: RunsComparison): Markup | undefined {
  if (comparison.curation.length === 0) return undefined;
  return el(
    'section',
    {},
    el('h2', {}, 'Curation'),
    el(
      'p',
      { class: 'faint' },
      'A group has a gradient if the rewards of its rollouts are unequal; only such groups train. Staleness counts the versions that the weights of a rollout are behind those that it trains.',
    ),
    el('div', { class: 'charts' }, curationCharts(comparison)),
    curationTable(comparison),
  );
}

const runsPart = (comparison: RunsComparison): Markup =>
  el(
    'section',
    {},
    el('h2', {}, 'Runs'),
    runTable(comparison),
    settingsPart(comparison),
    el('h3', {}, 'Versions and machines'),
    programTable(comparison),
  );

function settingsPart(comparison: RunsComparison): readonly Markup[] {
  const heading = el('h3', {}, 'Settings that differ');
  if (comparison.settings.length > 0)
    return [heading, el('div', { class: 'wrap' }, settingsTable(comparison))];
  const trained = comparison.runs.filter(({ kind }) => kind === 'run');
  if (trained.length < 2) return [];
  const unknown = trained.flatMap(({ name, hasSettings }) => (hasSettings ? [] : [name]));
  const text =
    unknown.length === 0
      ? 'All settings but the seed are equal.'
      : `The settings of ${unknown.join(', ')} are not recorded.`;
  return [heading, el('p', { class: 'faint' }, text)];
}

const footerOf = ({ dartboard }: RunsComparison): Markup =>
  el(
    'footer',
    {},
    el(
      'p',
      {},
      "Intervals of one run are Wilson's; over tasks or runs they are clustered. Intervals of differences are Newcombe's, those between several runs Welch's, unless all runs of an arm have one rate. ",
      `Written by Dartboard ${dartboard} with 'dartboard compare'; docs/compare.md explains every number.`,
    ),
  );
