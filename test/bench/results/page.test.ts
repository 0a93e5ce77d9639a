// The page of results and the table in the README.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  formatBar,
  formatCertainty,
  formatFigure,
  verdictOf,
} from '../../../runtime/bench/results/format.ts';
import { withHeadlines } from '../../../runtime/bench/results/headlines.ts';
import { type BenchOutcome, readOutcomes } from '../../../runtime/bench/results/outcome.ts';
import { missingReasons, type Results, resultsPage } from '../../../runtime/bench/results/page.ts';
import { PAGES } from '../../../runtime/bench/results/pages.ts';
import { writeResults } from '../../../runtime/bench/results/write.ts';
import { temporaryFolder } from '../../temporary.ts';
import { PLAIN } from './outcomes.ts';

const results = (outcomes: readonly BenchOutcome[], notes: Results['notes'] = {}): Results => ({
  ...{ outcomes, notes, pictures: new Map() },
  ...{ picturesAt: 'media/results', data: 'docs/results' },
});

const slow: BenchOutcome = { ...PLAIN, figures: { ...PLAIN.figures, cost_growth_100_to_10000: 5.6 } };

test('a figure is shown with its bar and whether it meets it', () => {
  const page = resultsPage(results([PLAIN]));
  expect(page).toContain('| ≤ 2× | 1.7× |  | met |');
  expect(page).toContain('cost of the scheduler per step, with 10,000 desktops |  | 12.34 µs |  |  |');
  expect(page).toContain(
    '2 cores of One · 8 GB of memory · Linux 6 x64 · node v20.0.0 · 2 seeds · took 61 s',
  );
  expect(page).toContain('rounds: 3');
});

describe('a missed bar', () => {
  test('is shown with its note', () => {
    const noted = results([slow], { scale: { cost_growth_100_to_10000: 'the books are searched.' } });
    const page = resultsPage(noted);
    expect(page).toContain('| ≤ 2× | 5.6× |  | **missed** |');
    expect(page).toContain('- `cost_growth_100_to_10000`: the books are searched.');
    expect(missingReasons(noted)).toEqual([]);
  });

  test('is reported if it has no note', () => {
    expect(resultsPage(results([slow]))).toContain('the reason is not known yet');
    expect(missingReasons(results([slow]))).toEqual(['scale: cost_growth_100_to_10000']);
  });
});

describe('a figure that was measured and is no number', () => {
  const { cost_growth_100_to_10000: _, ...figures } = PLAIN.figures;
  const never: BenchOutcome = { ...PLAIN, figures, withoutNumber: ['cost_growth_100_to_10000'] };

  test('misses its bar', () => {
    const page = resultsPage(results([never]));
    expect(page).toContain('| ≤ 2× | no number |  | **missed** |');
    expect(missingReasons(results([never]))).toEqual(['scale: cost_growth_100_to_10000']);
  });

  test('can have a note', () => {
    const noted = results([never], { scale: { cost_growth_100_to_10000: 'it never ended.' } });
    expect(resultsPage(noted)).toContain('- `cost_growth_100_to_10000`: it never ended.');
  });
});

describe('a figure with a bar that the outcome lacks', () => {
  const { occupancy_10000: _, ...figures } = PLAIN.figures;
  const without: BenchOutcome = { ...PLAIN, figures };

  test('is not measured, in the overview and in its section', () => {
    const page = resultsPage(results([without]));
    expect(page).toContain('| [Scale](#scale): occupancy of 10,000 desktops | ≥ 90 % |  | not measured |');
    expect(page).toContain(
      '| `occupancy_10000` occupancy of 10,000 desktops | ≥ 90 % |  |  | not measured |',
    );
  });

  test('is an open bar in the README, and needs no note', () => {
    expect(withHeadlines(README, [without], 'page.md')).toContain(
      'occupancy of 10,000 desktops, not measured (bar ≥ 90 %)',
    );
    expect(missingReasons(results([without]))).toEqual([]);
  });
});

test('a bar within the interval of a figure is met, not proven', () => {
  const certainty = { occupancy_10000: { low: 0.85, high: 0.99 } };
  const page = resultsPage(results([{ ...PLAIN, certainty }]));
  expect(page).toContain('occupancy of 10,000 desktops | ≥ 90 % | 95 % | met, not proven |');
  expect(page).toContain('| ≥ 90 % | 95 % | 95 %: 85 to 99 % | met, not proven |');
});

test('the rows of each world are not shown, and the page names their file', () => {
  const page = resultsPage(results([{ ...PLAIN, config: { rounds: 3, worlds: [[0.123456]] } }]));
  expect(page).not.toContain('0.123456');
  expect(page).toContain('rounds: 3\nworlds: in docs/results/scale.json');
});

test('the command that measured an outcome stands under its title', () => {
  const page = resultsPage(results([{ ...PLAIN, command: 'scale --seeds 7' }]));
  expect(page).toContain('`npm run bench -- scale --seeds 7`');
});

test.each([
  ['a benchmark', { skale: { us_per_step: 'why' } }, 'us_per_step of skale'],
  ['a figure', { scale: { us_per_stop: 'why' } }, 'us_per_stop of scale'],
])('a note for %s that does not exist is an error that names it', (_, notes, named) => {
  expect(() => resultsPage(results([PLAIN], notes))).toThrow(named);
});

test('every benchmark has a section; one that was never measured names its command', () => {
  const page = resultsPage(results([]));
  for (const { name, command = name, title } of PAGES) {
    expect(page).toContain(`not measured yet: \`npm run bench -- ${command}\``);
    expect(page).toContain(`\n## ${title}\n`);
  }
});

test('an outcome without a page is shown with all its figures', () => {
  const page = resultsPage(
    results([{ ...PLAIN, bench: 'pocket', variant: 'upside-down', figures: { odd: 3 } }]),
  );
  expect(page).toContain('## pocket-upside-down');
  expect(page).toContain('`npm run bench -- pocket --upside-down`');
  expect(page).toContain('| `odd` |  | 3 |');
});

test('links of the overview lead to titles', () => {
  const page = resultsPage(results([PLAIN]));
  const titles = [...page.matchAll(/^## (.*)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(/[,+]/g, '').replaceAll(' ', '-'),
  );
  for (const [, link] of page.matchAll(/\]\(#([^)]*)\)/g)) expect(titles).toContain(link);
});

test.each([
  [0.95, { min: 0.95 }, {}, 'met'],
  [0.9499, { min: 0.95 }, {}, 'missed'],
  [2, { max: 2 }, {}, 'met'],
  [2.01, { max: 2 }, {}, 'missed'],
  [2, undefined, {}, undefined],
  [undefined, undefined, {}, undefined],
  [undefined, { max: 2 }, {}, 'not measured'],
  [Number.NaN, { min: 0 }, {}, 'missed'],
  [0.96, { min: 0.95 }, { low: 0.95, high: 0.98 }, 'met'],
  [0.96, { min: 0.95 }, { low: 0.9, high: 0.98 }, 'met, not proven'],
  [0.94, { min: 0.95 }, { low: 0.9, high: 0.98 }, 'missed'],
  [0, { max: 0.001 }, { low: 0, high: 0.01 }, 'met, not proven'],
  [0.7, { max: 1 }, { low: 0.6 }, 'met, not proven'],
  [0.7, { min: 0.5 }, { low: 0.6 }, 'met'],
])('%d against %j with the interval %j: %s', (value, bar, interval, verdict) => {
  expect(verdictOf(value, bar, interval)).toBe(verdict);
});

test('figures, bars and intervals are formatted with their units', () => {
  expect(formatFigure(0.84167, 'share')).toBe('84.2 %');
  expect(formatBar({ max: 0.6 }, 'seconds')).toBe('≤ 0.6 s');
  expect(formatCertainty({ successes: 437, trials: 460, low: 0.91, high: 0.98 }, 'share')).toBe(
    '437 of 460; 95 %: 91 to 98 %',
  );
  expect(formatCertainty({ low: 0.6221 }, 'times')).toBe('95 %: from 0.6221×');
  expect(formatCertainty({ high: 2 }, 'times')).toBe('95 %: up to 2×');
  expect(formatCertainty({}, 'times')).toBe('');
});

const README = `# Title

<!-- written by \`npm run bench -- results\` -->
an old table
<!-- end of the written table -->

The rest.
`;

describe('the readme', () => {
  const withThese = (...outcomes: readonly BenchOutcome[]) => withHeadlines(README, outcomes, 'page.md');
  const named = (
    bench: string,
    figures: BenchOutcome['figures'],
    certainty: BenchOutcome['certainty'] = {},
  ) => ({
    ...PLAIN,
    ...{ bench, figures, certainty },
  });

  test('gets its table between the marks, and is otherwise unchanged', () => {
    const text = withThese(
      named('curation', { groups_per_1000_gain: 1.89 }, { groups_per_1000_gain: { low: 1.86, high: 1.92 } }),
    );
    expect(text).toContain('| **1.89×** of the uniform rule, in eight epochs (95 %: 1.86 to 1.92×)<br>');
    expect(text).not.toContain('an old table');
    expect(text.startsWith('# Title\n\n<!-- written')).toBe(true);
    expect(text.endsWith('<!-- end of the written table -->\n\nThe rest.\n')).toBe(true);
    expect(withHeadlines(text, [], 'page.md')).toBe(withThese());
  });

  test('marks missed bars, lists them, and names figures that were not measured', () => {
    const text = withThese(named('curation', { groups_per_1000_gain: 1.2 }));
    expect(text).toContain('| **1.2×** (missed) of the uniform rule');
    expect(text).toMatch(
      /Bars that are missed or not measured:<br>.*against the uniform rule, 1.2× \(bar ≥ 1.7×\)/,
    );
    expect(withThese()).toContain('| not measured yet: of tiers 1–2<br>');
  });

  test('marks a bar that lies within the interval', () => {
    const certainty = { groups_per_1000_gain: { low: 1.6, high: 2 } };
    const text = withThese(named('curation', { groups_per_1000_gain: 1.8 }, certainty));
    expect(text).toContain('| **1.8×** (not proven) of the uniform rule');
  });

  test('without the marks is an error that names them', () => {
    expect(() => withHeadlines('# Title', [], 'page.md')).toThrow(/Add '<!-- written .*to it/);
  });
});

describe('files', () => {
  const folder = async (files: Readonly<Record<string, string>>) => {
    const made = temporaryFolder('results');
    for (const [name, text] of Object.entries(files)) await writeFile(join(made, name), text);
    return made;
  };
  const text = JSON.stringify(PLAIN);

  test('equal outcomes give equal files, and stale pictures are removed', async () => {
    const data = await folder({ 'scale.json': text, 'notes.json': '{}' });
    const [pictures, page] = [await folder({ 'old.svg': '<svg/>', 'mine.png': '' }), join(data, 'page.md')];
    const readme = join(data, 'readme.md');
    await writeFile(readme, README);
    const places = { data, page, pictures, readme };
    const all = async () =>
      Promise.all([page, join(pictures, 'scale-cost.svg'), readme].map(file => readFile(file, 'utf8')));
    await writeResults(() => undefined, places);
    const once = await all();
    await writeResults(() => undefined, places);
    expect(await all()).toEqual(once);
    expect((await readdir(pictures)).sort()).toEqual(['mine.png', 'scale-cost.svg']);
    expect(once[0]).toMatch(/!\[Cost of the scheduler per step\]\(.*scale-cost\.svg\)/);
  });

  test.each([
    ['not JSON', { 'scale.json': '{' }],
    ['not an outcome', { 'scale.json': '{"bench":"scale"}' }],
    ['another benchmark', { 'learn.json': text }],
    ['invalid notes', { 'notes.json': '{"scale":3}' }],
  ])('%s is an error that names the file', async (_, files) => {
    const [name = ''] = Object.keys(files);
    await expect(readOutcomes(await folder(files))).rejects.toThrow(name);
  });

  test('the committed outcomes can be read, and the README matches them', async () => {
    const { outcomes, notes } = await readOutcomes('docs/results');
    expect(() => resultsPage(results(outcomes, notes))).not.toThrow();
    const readme = await readFile('README.md', 'utf8');
    expect(withHeadlines(readme, outcomes, 'docs/results.md')).toBe(readme);
  });
});
