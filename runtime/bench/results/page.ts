// The page of all results: outcomes in, Markdown out. Pure. It names the command of each benchmark and shows missed bars as they are.

import {
  type BarVerdict,
  type FigureUnit,
  formatBar,
  formatCertainty,
  formatFigure,
  verdictOf,
} from './format.ts';
import { type BenchNotes, type BenchOutcome, figuresOf, outcomeName } from './outcome.ts';
import type { BenchPage, FigureSpec } from './page-spec.ts';
import { PAGES } from './pages.ts';
import type { Picture } from './pictures.ts';

export interface Results {
  readonly outcomes: readonly BenchOutcome[];
  readonly notes: BenchNotes;
  /** By the name of the benchmark. */
  readonly pictures: ReadonlyMap<string, readonly Picture[]>;
  /** The folder of the pictures, relative to the page. */
  readonly picturesAt: string;
  /** The folder of the outcomes, relative to the project. */
  readonly data: string;
}

interface FigureRow {
  readonly spec: FigureSpec;
  /** Undefined if the outcome lacks a figure that has a bar. */
  readonly value: number | undefined;
  readonly verdict: BarVerdict | undefined;
}

/** A page with its outcome, if it was measured, and the figures of that. */
export interface Section {
  readonly page: BenchPage;
  readonly outcome: BenchOutcome | undefined;
  readonly rows: readonly FigureRow[];
}

/** Outcomes that no page describes come last, with all their figures. */
export function sectionsOf(outcomes: readonly BenchOutcome[]): readonly Section[] {
  const others = outcomes.filter(outcome => !PAGES.some(({ name }) => name === outcomeName(outcome)));
  const undescribed = others.map(outcome => {
    const { bench, variant } = outcome;
    const name = outcomeName(outcome);
    const command = variant === undefined ? bench : `${bench} --${variant}`;
    return { name, title: name, about: '', command, figures: [] };
  });
  return [...PAGES, ...undescribed].map(page => {
    const outcome = outcomes.find(each => outcomeName(each) === page.name);
    return { page, outcome, rows: outcome === undefined ? [] : figureRows(page, outcome) };
  });
}

/** Figures with a description come first. A bar stays open until its figure is measured. */
function figureRows(page: BenchPage, outcome: BenchOutcome): readonly FigureRow[] {
  const figures = figuresOf(outcome);
  const plain = Object.keys(figures)
    .filter(name => !page.figures.some(spec => spec.name === name))
    .map((name): FigureSpec => ({ name, meaning: '', unit: unitOf(name) }));
  return [...page.figures, ...plain].flatMap(spec => {
    const value = figures[spec.name];
    const verdict = verdictOf(value, spec.bar, outcome.certainty?.[spec.name]);
    return value === undefined && verdict === undefined ? [] : [{ spec, value, verdict }];
  });
}

const unitOf = (name: string): FigureUnit =>
  name.endsWith('_ms') ? 'milliseconds' : /_vs_|_gain_/.test(name) ? 'times' : 'number';

export function resultsPage(results: Results): string {
  const { data, notes, outcomes } = results;
  refuseUnknownNotes(results);
  const sections = sectionsOf(outcomes);
  const width = `npm ci && npm run bench -- NAME --out ${data}`.length + 3;
  const overview = sections.flatMap(({ page, outcome, rows }) => {
    const link = `[${page.title}](#${anchor(page.title)})`;
    if (outcome === undefined) return [`| ${link} | | | not measured yet: ${command(page)} |`];
    return rows
      .filter(({ verdict }) => verdict !== undefined)
      .map(
        ({ spec: { meaning, bar, unit }, value, verdict }) =>
          `| ${link}: ${meaning} | ${formatBar(bar, unit)} | ${formatFigure(value, unit)} | ${marked(verdict)} |`,
      );
  });
  return `${[
    '# Results',
    `<!-- Written by \`npm run bench -- results\` from ${data}/*.json. Do not edit: remarks belong in ${data}/notes.json. -->`,
    'The latest figure of every benchmark beside the bar that the project set for it. Missed bars are shown as they are, with the reason. A figure is `met, not proven` if the bar lies within its 95 % interval.',
    [
      'One command measures each figure. The Docker benchmarks need a Docker engine; the panels benchmark needs `/usr/bin/chromium`. Without `--out`, outcomes go to `.dartboard/bench`. An interrupted benchmark resumes with the next part. Learning benchmarks keep the results of each seed in `parts`: with a higher `--seeds`, also on another machine, only the new seeds are measured.',
      '',
      '```sh',
      `${`npm ci && npm run bench -- NAME --out ${data}`.padEnd(width)}# NAME and its options are below each title`,
      `${'npm run bench -- results'.padEnd(width)}# writes this page and its pictures`,
      '```',
    ].join('\n'),
    ['| figure | bar | result | |', '| --- | ---: | ---: | --- |', ...overview].join('\n'),
    ...sections.map(each => sectionText(results, each, notes[each.page.name] ?? {})),
  ].join('\n\n')}\n`;
}

/** Figures that miss their bar and have no note. */
export const missingReasons = ({ outcomes, notes }: Results): readonly string[] =>
  sectionsOf(outcomes).flatMap(({ page, rows }) =>
    rows
      .filter(({ spec, verdict }) => verdict === 'missed' && notes[page.name]?.[spec.name] === undefined)
      .map(({ spec }) => `${page.name}: ${spec.name}`),
  );

function refuseUnknownNotes({ outcomes, notes, data }: Results): void {
  for (const [name, figures] of Object.entries(notes)) {
    const outcome = outcomes.find(each => outcomeName(each) === name);
    const known = outcome === undefined ? {} : figuresOf(outcome);
    const unknown = Object.keys(figures).find(figure => known[figure] === undefined);
    if (unknown !== undefined)
      throw new RangeError(
        `${data}/notes.json has a note for ${unknown} of ${name}, but no outcome has that figure. Correct or remove the note.`,
      );
  }
}

const marked = (verdict: BarVerdict | undefined): string =>
  verdict === 'missed' ? '**missed**' : (verdict ?? '');

/** That of the outcome, if it was measured. */
const command = ({ name, command = name }: BenchPage, outcome?: BenchOutcome): string =>
  `\`npm run bench -- ${outcome?.command ?? command}\``;

/** The anchor that GitHub gives to a title. */
export const anchor = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

function sectionText(
  { pictures, picturesAt, data }: Results,
  { page, outcome, rows }: Section,
  notes: Readonly<Record<string, string>>,
): string {
  const head = [`## ${page.title}`, page.about, command(page, outcome)];
  if (outcome === undefined)
    return [...head, 'Not measured yet: run the command above.'].filter(Boolean).join('\n\n');
  const table = rows.map(({ spec: { name, meaning, unit, bar }, value, verdict }) => {
    const certainty = formatCertainty(outcome.certainty?.[name], unit);
    const cells = [
      `\`${name}\` ${meaning}`.trim(),
      formatBar(bar, unit),
      formatFigure(value, unit),
      certainty,
      marked(verdict),
    ];
    return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const remarks = rows.flatMap(({ spec: { name }, verdict }) => {
    const note =
      notes[name] ?? (verdict === 'missed' ? 'misses its bar; the reason is not known yet.' : undefined);
    return note === undefined ? [] : [`- \`${name}\`: ${note}`];
  });
  const missing = page.figures.filter(spec => !rows.some(row => row.spec === spec));
  return [
    ...head,
    ['| figure | bar | result | counts and interval | |', '| --- | ---: | ---: | --- | --- |', ...table].join(
      '\n',
    ),
    remarks.join('\n'),
    missing.length === 0
      ? ''
      : `Not measured in this run: ${missing.map(({ name }) => `\`${name}\``).join(', ')}.`,
    ...(pictures.get(page.name) ?? []).map(({ file, title }) => `![${title}](${picturesAt}/${file})`),
    conditions(outcome),
    configuration(outcome, data),
  ]
    .filter(part => part !== '')
    .join('\n\n');
}

/** Machine, versions, seeds, duration and date. */
function conditions(outcome: BenchOutcome): string {
  const { machine = {}, versions, seeds, date, seconds, builds, processors } = outcome;
  const { cores, processor, memoryMb, os } = machine;
  const parts = [
    cores && `${cores} cores${processor === undefined ? '' : ` of ${processor}`}`,
    memoryMb && `${Math.round(memoryMb / 1024)} GB of memory`,
    os,
    ...Object.entries(versions).map(([name, version]) => `${name} ${version}`),
    seeds === 1 ? '1 seed' : `${seeds} seeds`,
    seconds && `took ${seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`}`,
    date && `measured on ${date.slice(0, 10)}`,
    processors && `in parts, on ${processors.join(', ')}`,
    builds && `in parts, by ${builds.length} builds of the program (${builds.join(', ')})`,
  ];
  return `Measured with: ${parts.filter(Boolean).join(' · ')}.`;
}

/** Of config: rows of raw numbers that no reader looks through here. */
const RAW_ROWS = 'worlds';

function configuration(outcome: BenchOutcome, data: string): string {
  const lines = Object.entries(outcome.config).flatMap(([name, value]) =>
    name === RAW_ROWS
      ? [`${name}: in ${data}/${outcomeName(outcome)}.json`]
      : wrap(`${name}: ${JSON.stringify(value)}`),
  );
  if (lines.length === 0) return '';
  return ['<details><summary>Configuration</summary>', '', '```', ...lines, '```', '', '</details>'].join(
    '\n',
  );
}

/** Breaks long lines after a comma. */
const wrap = (line: string): readonly string[] => {
  const at = line.lastIndexOf(',', 140);
  return line.length <= 140 || at < 20 ? [line] : [line.slice(0, at + 1), ...wrap(`  ${line.slice(at + 1)}`)];
};
