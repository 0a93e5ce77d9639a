// The page of results: what it says of what reached its bar, of what fell short, and of what was never measured.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ASKED } from '../../../runtime/bench/results/asked/all.ts';
import { documentOf, type Results, unexplained } from '../../../runtime/bench/results/document.ts';
import { withHeadlines } from '../../../runtime/bench/results/headlines.ts';
import { reaches, written, writtenBar, writtenCertainty } from '../../../runtime/bench/results/judged.ts';
import { type Outcome, outcomesIn } from '../../../runtime/bench/results/outcome.ts';
import { writeResults } from '../../../runtime/bench/results/write.ts';
import { temporaryFolder } from '../../temporary.ts';
import { PLAIN } from './outcomes.ts';

const results = (outcomes: readonly Outcome[], notes: Results['notes'] = {}): Results => ({
  ...{ asked: ASKED, outcomes, notes, pictures: new Map() },
  ...{ picturesAt: '../media/results', data: 'docs/results' },
});

const slow: Outcome = { ...PLAIN, figures: { ...PLAIN.figures, cost_growth_100_to_10000: 5.6 } };

test('a figure stands beside its bar, and whether it is reached', () => {
  const page = documentOf(results([PLAIN]));
  expect(page).toContain('| ≤ 2× | 1.7× |  | reached |');
  expect(page).toContain("the scheduler's own cost of a step, with 10,000 desktops |  | 12.34 µs |  |  |");
  expect(page).toContain(
    '2 cores of One · 8 GB of memory · Linux 6 x64 · node v20.0.0 · 2 seeds · took 61 s',
  );
  expect(page).toContain('rounds: 3');
});

describe('what falls short', () => {
  test('is shown with the reason that somebody wrote down', () => {
    const noted = results([slow], { scale: { cost_growth_100_to_10000: 'the books are searched.' } });
    const page = documentOf(noted);
    expect(page).toContain('| ≤ 2× | 5.6× |  | **missed** |');
    expect(page).toContain('- `cost_growth_100_to_10000`: the books are searched.');
    expect(unexplained(noted)).toEqual([]);
  });

  test('is told where nobody said why', () => {
    expect(documentOf(results([slow]))).toContain('nobody has said yet why');
    expect(unexplained(results([slow]))).toEqual(['scale: cost_growth_100_to_10000']);
  });
});

test.each([
  ['a benchmark', { skale: { us_per_step: 'why' } }, 'us_per_step of skale'],
  ['a figure', { scale: { us_per_stop: 'why' } }, 'us_per_stop of scale'],
])('a reason for %s that is not there is an error that names it', (_, notes, named) => {
  expect(() => documentOf(results([PLAIN], notes))).toThrow(named);
});

test('what was never measured says which command does it; each benchmark has its section', () => {
  const page = documentOf(results([]));
  for (const { command, title } of ASKED) {
    expect(page).toContain(`not measured yet: \`npm run bench -- ${command}\``);
    expect(page).toContain(`\n## ${title}\n`);
  }
});

test('an outcome of which nobody asks anything is shown, with all its figures', () => {
  const page = documentOf(
    results([{ ...PLAIN, bench: 'pocket', variant: 'upside-down', figures: { odd: 3 } }]),
  );
  expect(page).toContain('## pocket-upside-down');
  expect(page).toContain('`npm run bench -- pocket --upside-down`');
  expect(page).toContain('| `odd` |  | 3 |');
});

test('links of the overview lead to titles', () => {
  const page = documentOf(results([PLAIN]));
  const titles = [...page.matchAll(/^## (.*)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(',', '').replaceAll(' ', '-'),
  );
  for (const [, link] of page.matchAll(/\]\(#([^)]*)\)/g)) expect(titles).toContain(link);
});

test.each([
  [0.95, { least: 0.95 }, true],
  [0.9499, { least: 0.95 }, false],
  [2, { most: 2 }, true],
  [2.01, { most: 2 }, false],
  [2, { text: 'as it is' }, undefined],
  [2, undefined, undefined],
])('%d against %j', (value, bar, reached) => {
  expect(reaches(value, bar)).toBe(reached);
});

test('figures, bars and intervals are written with their units', () => {
  expect(written(0.84167, 'share')).toBe('84.2 %');
  expect(writtenBar({ most: 0.6 }, 'seconds')).toBe('≤ 0.6 s');
  expect(writtenCertainty({ successes: 437, trials: 460, low: 0.91, high: 0.98 }, 'share')).toBe(
    '437 of 460; 95 %: 91 to 98 %',
  );
});

const README = `# Title

<!-- written by \`npm run bench -- results\` -->
what stood there before
<!-- as far as here -->

The rest.
`;

describe('the readme', () => {
  const withThese = (...outcomes: readonly Outcome[]) => withHeadlines(README, ASKED, outcomes, 'page.md');
  const named = (bench: string, figures: Outcome['figures'], certainty: Outcome['certainty'] = {}) => ({
    ...PLAIN,
    ...{ bench, figures, certainty },
  });

  test('has its numbers between the marks, and all else as it was', () => {
    const text = withThese(
      named('curation', { groups_per_1000_gain: 1.89 }, { groups_per_1000_gain: { low: 1.86, high: 1.92 } }),
    );
    expect(text).toContain(
      '](page.md#curation-on-real-rewards) | **1.89×** those of the uniform rule (95 %: 1.86 to 1.92×) | ≥ 1.7× |',
    );
    expect(text).not.toContain('before');
    expect(text.startsWith('# Title\n\n<!-- written')).toBe(true);
    expect(text.endsWith('<!-- as far as here -->\n\nThe rest.\n')).toBe(true);
    expect(withHeadlines(text, ASKED, [], 'page.md')).toBe(withThese());
  });

  test('says what was missed, and what was not measured', () => {
    expect(withThese(named('curation', { groups_per_1000_gain: 1.2 }))).toContain('| 1.2× (missed) those');
    expect(withThese()).toContain('| not measured yet<br>not measured yet<br>not measured yet | ≥ 90 %<br>');
  });

  test('without a place for them is an error that says how to make one', () => {
    expect(() => withHeadlines('# Title', ASKED, [], 'page.md')).toThrow(/put '<!-- written .*there/);
  });
});

describe('files', () => {
  const folder = async (files: Readonly<Record<string, string>>) => {
    const made = temporaryFolder('results');
    for (const [name, text] of Object.entries(files)) await writeFile(join(made, name), text);
    return made;
  };
  const text = JSON.stringify(PLAIN);

  test('the same outcomes give the same bytes, and pictures of what is gone go', async () => {
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
    expect(once[0]).toMatch(/!\[What the scheduler costs a step\]\(.*scale-cost\.svg\)/);
  });

  test.each([
    ['no JSON', { 'scale.json': '{' }],
    ['no outcome', { 'scale.json': '{"bench":"scale"}' }],
    ['another benchmark', { 'learn.json': text }],
    ['notes that are none', { 'notes.json': '{"scale":3}' }],
  ])('%s is an error that names the file', async (_, files) => {
    const [name = ''] = Object.keys(files);
    await expect(outcomesIn(await folder(files))).rejects.toThrow(name);
  });

  test('what is committed can be read, and the readme shows of it what is true', async () => {
    const { outcomes, notes } = await outcomesIn('docs/results');
    expect(() => documentOf(results(outcomes, notes))).not.toThrow();
    const readme = await readFile('README.md', 'utf8');
    expect(withHeadlines(readme, ASKED, outcomes, 'docs/results.md')).toBe(readme);
  });
});
