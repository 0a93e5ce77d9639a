// The page of results: outcomes in, Markdown out. Pure, and the same text for the same outcomes. What was not measured is said, with
// the command that measures it; what falls short stays as it is, with the reason that somebody wrote down.

import type { AskedBench, AskedFigure } from './asked/asked.ts';
import { reaches, written, writtenBar, writtenCertainty } from './judged.ts';
import { type Notes, nameOf, type Outcome } from './outcome.ts';
import type { Picture } from './pictures.ts';

export interface Results {
  readonly asked: readonly AskedBench[];
  readonly outcomes: readonly Outcome[];
  readonly notes: Notes;
  /** Of each benchmark, by its name. */
  readonly pictures: ReadonlyMap<string, readonly Picture[]>;
  /** Where the page finds them, such as '../media/results'. */
  readonly picturesAt: string;
  /** The folder of outcomes, as a command names it. */
  readonly data: string;
}

interface Section {
  readonly asked: AskedBench;
  readonly outcome: Outcome | undefined;
}

/** A figure with what was asked of it. */
interface Row {
  readonly figure: AskedFigure;
  readonly value: number;
  readonly reached: boolean | undefined;
  readonly certainty: string;
  readonly note: string | undefined;
}

export function documentOf(results: Results): string {
  const { data } = results;
  refuseLost(results);
  const sections = sectionsOf(results);
  const parts = [
    '# Results',
    `<!-- Written by \`npm run bench -- results\` from ${data}/*.json. Edits here are lost; reasons stand in ${data}/notes.json. -->`,
    'What every benchmark came to when it was last measured, beside what was asked of it. A number that falls short is shown as it is, with the reason.',
    reproduce(data),
    overview(results, sections),
    ...sections.map(section => sectionText(results, section)),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Figures that miss their bar, and of which nobody said why. */
export function unexplained(results: Results): readonly string[] {
  return sectionsOf(results).flatMap(({ asked, outcome }) =>
    outcome === undefined
      ? []
      : rowsOf(results, asked, outcome)
          .filter(({ reached, note }) => reached === false && note === undefined)
          .map(({ figure }) => `${asked.name}: ${figure.name}`),
  );
}

/** Outcomes of which nobody asks anything are shown all the same, behind the others. */
function sectionsOf({ asked, outcomes }: Results): readonly Section[] {
  const known = asked.map(each => ({
    asked: each,
    outcome: outcomes.find(outcome => nameOf(outcome) === each.name),
  }));
  const others = outcomes
    .filter(outcome => !asked.some(({ name }) => name === nameOf(outcome)))
    .map(outcome => {
      const { bench, variant } = outcome;
      const command = variant === undefined ? bench : `${bench} --${variant}`;
      const name = nameOf(outcome);
      return { asked: { name, title: name, about: '', command, figures: [], pictures: [] }, outcome };
    });
  return [...known, ...others];
}

function rowsOf({ notes }: Results, asked: AskedBench, outcome: Outcome): readonly Row[] {
  const names = Object.keys(outcome.figures);
  const figures: readonly AskedFigure[] = [
    ...asked.figures.filter(({ name }) => names.includes(name)),
    ...names
      .filter(name => !asked.figures.some(figure => figure.name === name))
      .map((name): AskedFigure => ({ name, meaning: '', unit: 'number' })),
  ];
  return figures.map(figure => {
    const value = outcome.figures[figure.name] ?? Number.NaN;
    return {
      figure,
      value,
      reached: reaches(value, figure.bar),
      certainty: writtenCertainty(outcome.certainty?.[figure.name], figure.unit),
      note: notes[asked.name]?.[figure.name],
    };
  });
}

/** A reason for a figure that is not there explains nothing: it was renamed, or mistyped. */
function refuseLost({ outcomes, notes, data }: Results): void {
  for (const [name, figures] of Object.entries(notes)) {
    const outcome = outcomes.find(each => nameOf(each) === name);
    const lost = Object.keys(figures).find(figure => outcome?.figures[figure] === undefined);
    if (lost !== undefined)
      throw new RangeError(
        `${data}/notes.json explains ${lost} of ${name}, which ${data} has no such figure of: name one that it has, or remove the note.`,
      );
  }
}

const reproduce = (data: string): string => {
  const commands = [
    [`npm ci && npm run bench -- NAME --out ${data}`, 'NAME and its options stand below each title'],
    ['npm run bench -- results', 'writes this page and its pictures'],
  ] as const;
  const wide = Math.max(...commands.map(([command]) => command.length)) + 3;
  return [
    'Each number comes from one command; those about Docker want an engine, those about pages `/usr/bin/chromium`. Without `--out` an outcome goes to `.dartboard/bench`; a benchmark that was interrupted goes on where it was.',
    '',
    '```sh',
    ...commands.map(([command, does]) => `${command.padEnd(wide)}# ${does}`),
    '```',
  ].join('\n');
};

function overview(results: Results, sections: readonly Section[]): string {
  const lines = sections.flatMap(({ asked, outcome }) => {
    const link = `[${asked.title}](#${anchor(asked.title)})`;
    if (outcome === undefined)
      return [`| ${link} | | | not measured yet: \`npm run bench -- ${asked.command}\` |`];
    return rowsOf(results, asked, outcome)
      .filter(({ reached }) => reached !== undefined)
      .map(
        ({ figure, value, reached }) =>
          `| ${link}: ${figure.meaning} | ${writtenBar(figure.bar, figure.unit)} | ${written(value, figure.unit)} | ${verdict(reached)} |`,
      );
  });
  return ['| what | asked | came to | |', '| --- | ---: | ---: | --- |', ...lines].join('\n');
}

const verdict = (reached: boolean | undefined): string =>
  reached === undefined ? '' : reached ? 'reached' : '**missed**';

/** As GitHub makes them of a title. */
export const anchor = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');

function sectionText(results: Results, { asked, outcome }: Section): string {
  const head = [`## ${asked.title}`, asked.about, `\`npm run bench -- ${asked.command}\``];
  if (outcome === undefined)
    return [...head, 'Not measured yet: the command above does it.'].filter(Boolean).join('\n\n');
  const rows = rowsOf(results, asked, outcome);
  const missing = asked.figures.filter(({ name }) => outcome.figures[name] === undefined);
  const parts = [
    ...head,
    table(rows),
    ...reasons(rows),
    missing.length === 0 ? '' : `Not measured in this run: ${missing.map(named).join(', ')}.`,
    ...(results.pictures.get(asked.name) ?? []).map(
      ({ file, title }) => `![${title}](${results.picturesAt}/${file})`,
    ),
    circumstances(outcome),
    configuration(outcome),
  ];
  return parts.filter(part => part !== '').join('\n\n');
}

const named = ({ name }: AskedFigure): string => `\`${name}\``;

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ figure, value, certainty, reached }) => {
    const { meaning, bar, unit } = figure;
    const cells = [
      [named(figure), meaning].filter(Boolean).join(' '),
      writtenBar(bar, unit),
      written(value, unit),
      certainty,
      verdict(reached),
    ];
    return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return ['| figure | asked | came to | of what | |', '| --- | ---: | ---: | --- | --- |', ...lines].join(
    '\n',
  );
}

const reasons = (rows: readonly Row[]): readonly string[] => {
  const lines = rows.flatMap(({ figure, note, reached }) => {
    if (note !== undefined) return [`- ${named(figure)}: ${note}`];
    return reached === false ? [`- ${named(figure)}: falls short, and nobody has said yet why.`] : [];
  });
  return lines.length === 0 ? [] : [lines.join('\n')];
};

/** Who measured, how often, with what: as far as it is known. */
function circumstances({ machine, versions, seeds, date, seconds, builds, processors }: Outcome): string {
  const { cores, processor, memoryMb, os } = machine ?? {};
  const parts = [
    cores === undefined ? '' : `${cores} cores${processor === undefined ? '' : ` of ${processor}`}`,
    memoryMb === undefined ? '' : `${Math.round(memoryMb / 1024)} GB of memory`,
    os ?? '',
    ...Object.entries(versions).map(([name, version]) => `${name} ${version}`),
    seeds === 1 ? 'one seed' : `${seeds} seeds`,
    seconds === undefined ? '' : `took ${lasted(seconds)}`,
    date === undefined ? '' : `measured on ${date.slice(0, 10)}`,
    processors === undefined ? '' : `in parts, on ${processors.join(', ')}`,
    builds === undefined ? '' : `in parts, by ${builds.length} builds of the program (${builds.join(', ')})`,
  ];
  return `Measured with: ${parts.filter(Boolean).join(' · ')}.`;
}

const lasted = (seconds: number): string =>
  seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

function configuration({ config }: Outcome): string {
  if (Object.keys(config).length === 0) return '';
  const lines = Object.entries(config).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return [
    '<details><summary>Configuration</summary>',
    '',
    '```',
    ...lines.flatMap(folded),
    '```',
    '',
    '</details>',
  ].join('\n');
}

/** Long lines break where a value ends. */
function folded(line: string): readonly string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > 140) {
    const at = rest.lastIndexOf(',', 140);
    if (at < 20) break;
    lines.push(rest.slice(0, at + 1));
    rest = `  ${rest.slice(at + 1)}`;
  }
  return [...lines, rest];
}
