// Cases of the metrics of tables, colours in tables and capitals.

import type { Random } from '../../../core/rng.ts';
import type { CaseMakers } from '../metric-case.ts';
import { once, perhapsDamaged, pick } from './documents-damage.ts';
import {
  cell,
  contentControl,
  docx,
  paragraph,
  row,
  run,
  sectionProperties,
  table,
} from './documents-docx.ts';
import { word, words } from './words.ts';

type Grid = readonly (readonly string[])[];

const grid = (random: Random): Grid => {
  const columns = 1 + random.int(4);
  return Array.from({ length: 1 + random.int(4) }, () => Array.from({ length: columns }, () => word(random)));
};

/** How the first cells of a table are merged. */
type Merge = 'none' | 'across' | 'down' | 'wide-down' | 'skipped';

const MERGES: readonly Merge[] = ['none', 'none', 'none', 'across', 'down', 'wide-down', 'skipped'];

const SPAN = '<w:gridSpan w:val="2"/>';
const CONTINUED = '<w:vMerge w:val="continue"/>';

function gridXml(content: Grid, merge: Merge, wrap: (text: string) => string): string {
  const rows = content.map((texts, y) => {
    const cells = texts.map(text => cell(wrap(text)));
    const first = texts[0] ?? '';
    const isWide = texts.length > 1;
    if (merge === 'across' && isWide && y === 0) return row([cell(wrap(first), SPAN), ...cells.slice(2)]);
    if (merge === 'down')
      return row([
        cell(wrap(first), y === 0 ? '<w:vMerge w:val="restart"/>' : '<w:vMerge/>'),
        ...cells.slice(1),
      ]);
    if (merge === 'wide-down' && isWide) {
      const state = y === 0 ? '<w:vMerge w:val="restart"/>' : CONTINUED;
      return row([cell(wrap(first), SPAN + state), ...cells.slice(2)]);
    }
    if (merge === 'skipped' && isWide && y > 0) return row(cells.slice(1), '<w:gridBefore w:val="1"/>');
    return row(cells);
  });
  return table(content[0]?.length ?? 0, rows);
}

const plain = (text: string): string => paragraph(run(text));

const GRID_CHANGES: readonly ((random: Random, content: Grid) => Grid)[] = [
  (_, content) => content,
  (_, content) => content,
  (_, content) => content.map(texts => texts.map(text => ` ${text}\u00a0`)),
  (_, content) => content.map(texts => texts.map(text => `${text}\n`)),
  (random, content) => content.with(0, [word(random), ...(content[0] ?? []).slice(1)]),
  (_, content) => content.slice(1),
  (_, content) => content.map(texts => [...texts, '']),
  (_, content) => content.map(texts => texts.map(text => text.toUpperCase())),
];

/** A cell with more than its text: a table inside, or a second paragraph. */
const rich =
  (kind: number) =>
  (text: string): string =>
    plain(text) + (kind === 0 ? table(1, [row([cell(plain('inner'))])]) : '') + (kind === 1 ? plain('') : '');

const COLORS = [
  'FF0000',
  '0000FF',
  'ff0000',
  '0000ff',
  'FE0101',
  '0505FF',
  'FF2000',
  '00B050',
  '000000',
  'auto',
];

const coloredWord =
  (random: Random, accuracy: number) =>
  (text: string): string => {
    const right = 'aeiou'.includes(text.charAt(0).toLowerCase()) ? 'FF0000' : '0000FF';
    const color = once(random, accuracy) ? pick(random, COLORS) : right;
    const format = once(random, accuracy * 8) ? '' : `<w:color w:val="${color}"/>`;
    const noise = pick(random, ['', '', run('', '<w:color w:val="00FF00"/>'), run('\t', format)]);
    return paragraph(run(text, format) + noise);
  };

const CASED = ['alpha beta', 'Gamma', '12 + 3', 'straße', 'ǅ', 'x Ⅷ', 'é', ''];
const CAPITALS = ['ALPHA', 'Ⅷ', 'É 12', 'Ω-3', 'A'];

const maybeCapitals = (random: Random) => pick(random, once(random, 8) ? CAPITALS : CASED);

export const TABLE_DOCUMENT_CASES = {
  compare_docx_tables: random => {
    const grids = Array.from({ length: random.int(3) + (once(random, 4) ? 0 : 1) }, () => ({
      content: grid(random),
      merge: pick(random, MERGES),
      kind: random.int(6),
    }));
    const change = pick(random, once(random, 2) ? GRID_CHANGES : GRID_CHANGES.slice(0, 4));
    const result = grids.map(({ content, merge, kind }, index) =>
      gridXml(
        index === 0 ? change(random, content) : content,
        once(random, 10) ? 'down' : merge,
        rich(once(random, 8) ? 1 : kind),
      ),
    );
    if (once(random, 12)) result.push(gridXml(grid(random), 'none', plain));
    if (once(random, 8)) result.push(contentControl(gridXml(grid(random), 'none', plain)));
    const gold = grids.map(({ content, merge, kind }) => gridXml(content, merge, rich(kind)));
    const body = (tables: readonly string[]) =>
      tables.map(each => plain(word(random)) + each).join('') + plain('') + sectionProperties();
    return {
      result: perhapsDamaged(random, docx('result.docx', { body: body(result) })),
      expected: docx('gold.docx', { body: body(gold) }),
    };
  },
  evaluate_colored_words_in_tables: random => {
    const content = grid(random).map(texts => texts.map(text => (once(random, 4) ? `o${text}` : text)));
    const merge = pick(random, MERGES);
    const accuracy = pick(random, [1000, 1000, 30, 6]);
    const heading = words(random, 3).join(' ');
    const body = (text: string, cellOf: (text: string) => string) =>
      plain(text) + gridXml(content, merge, cellOf) + sectionProperties();
    return {
      result: perhapsDamaged(
        random,
        docx('result.docx', {
          body: body(once(random, 12) ? 'changed' : heading, coloredWord(random, accuracy)),
        }),
      ),
      expected: docx('gold.docx', { body: body(heading, plain) }),
      options: once(random, 3) ? { threshold: pick(random, [0, 1, 3.5, 12, 60]) } : {},
    };
  },
  evaluate_conversion: random => {
    const text = () => maybeCapitals(random);
    const content = Array.from({ length: random.int(3) }, () => [text(), text()]);
    const body =
      paragraph(run(text()) + run(text(), '<w:caps/>')) +
      gridXml(content, pick(random, MERGES), each => paragraph(run(each) + run('')));
    return { result: perhapsDamaged(random, docx('result.docx', { body: body + sectionProperties() })) };
  },
} satisfies CaseMakers;
