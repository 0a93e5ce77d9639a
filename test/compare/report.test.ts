// The report and the CSV files: hostile names, structure, and agreement with the comparison.

import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { compareRuns } from '../../runtime/compare/compare-runs.ts';
import { csvOf } from '../../runtime/compare/csv.ts';
import { htmlOf } from '../../runtime/compare/html/report.ts';
import type { RecordedSide } from '../../runtime/compare/record.ts';
import { defaults } from '../../runtime/config/presets.ts';
import { expectSoundSvg } from '../run/curves/sound-svg.ts';
import { episodesOf, graded, recordedEvaluation, recordedRun } from './recorded-runs.ts';

const compared = (...sides: readonly RecordedSide[]) =>
  compareRuns(sides, { now: Date.UTC(2026, 10, 26, 4, 5), dartboard: '1.2.3' });

const PROGRAM = {
  ...{ dartboard: '1.2.3', node: '22.1.0', packages: { 'onnxruntime-node': '1.30.0' } },
  ...{ system: 'Linux 6.1.0 x64', processor: 'A processor', cores: 2 },
};

interface Page {
  readonly tags: readonly string[];
  readonly ids: readonly string[];
  /** Names and values. */
  readonly attributes: readonly (readonly [string, string])[];
  readonly text: string;
  /** The rows of each table, by its caption. */
  readonly tables: ReadonlyMap<string, readonly (readonly string[])[]>;
}

function parsed(html: string): Page {
  const [tags, ids] = [[] as string[], [] as string[]];
  const attributes: (readonly [string, string])[] = [];
  const tables = new Map<string, string[][]>();
  let text = '';
  let rows: string[][] = [];
  let caption: string | undefined;
  let cell: string | undefined;
  const parser = new Parser({
    onopentag(name, found) {
      tags.push(name);
      attributes.push(...Object.entries(found));
      if (found['id'] !== undefined) ids.push(found['id']);
      if (name === 'table') rows = [];
      if (name === 'caption') caption = '';
      if (name === 'tr') rows.push([]);
      if (name === 'th' || name === 'td') cell = '';
    },
    ontext(part) {
      text += part;
      if (caption !== undefined) caption += part;
      if (cell !== undefined) cell += part;
    },
    onclosetag(name) {
      if (name === 'caption') {
        tables.set(caption ?? '', rows);
        caption = undefined;
      }
      if (name === 'th' || name === 'td') {
        rows.at(-1)?.push(cell ?? '');
        cell = undefined;
      }
    },
  });
  parser.end(html);
  return { tags, ids, attributes, text, tables };
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></style></svg><script>1</script>',
  '&lt;b&gt; & \u0000\u0007\u202e\ud800',
  ']]>--><!--',
];

test.each(HOSTILE)('the name %j stays text everywhere', hostile => {
  const config = { ...defaults({}), seed: hostile };
  const run = recordedRun(hostile, {
    config,
    message: hostile,
    from: hostile,
    about: { preset: hostile, mode: hostile, seed: hostile, tiers: [1], tasks: 1, agent: hostile },
    model: hostile,
    programs: [{ ...PROGRAM, processor: hostile, dartboard: hostile }],
    missing: [hostile],
    evaluation: {
      ...{ version: 1, seconds: 1, broken: 0 },
      episodes: episodesOf(3, 4, () => true).map(each => ({ ...each, task: `${each.task} ${hostile}` })),
    },
  });
  const { name: _, ...rest } = graded('b', { ...run, config: { ...config, mode: 'screenshot' } });
  const page = parsed(htmlOf(compared(run, { ...rest, name: `${hostile} 2` })));
  const plain = parsed(htmlOf(compared(recordedRun('a', { programs: [PROGRAM] }), graded('b'))));
  // No tag and no attribute that a report with plain names lacks.
  expect(page.tags.filter(tag => !plain.tags.includes(tag) && !['li', 'ul'].includes(tag))).toEqual([]);
  const names = new Set(plain.attributes.map(([name]) => name));
  expect(page.attributes.filter(([name]) => !names.has(name))).toEqual([]);
  expect(page.tags).not.toContain('script');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: HTML has none of them.
  expect(htmlOf(compared(run))).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
});

describe('the report', () => {
  const comparison = compared(
    recordedRun('a', { programs: [PROGRAM] }),
    graded('b', { missing: ['The file is damaged. Restore it.'] }),
    recordedEvaluation('evaluate-1', (task, instance) => task > instance),
  );
  const html = htmlOf(comparison);
  const page = parsed(html);

  test('needs no script and no other file', () => {
    expect(page.tags).not.toContain('script');
    expect(page.tags).not.toContain('link');
    for (const [name, value] of page.attributes) {
      expect(['src', 'href', 'srcset', 'style'].includes(name) && /url|http|\/\//.test(value)).toBe(false);
      expect(name.startsWith('on')).toBe(false);
    }
    expect(html).not.toMatch(/@import|url\(/);
  });

  test('has sound charts with different ids, which their names refer to', () => {
    const charts = html.match(/<svg xmlns.*?<\/svg>/gs) ?? [];
    expect(charts).toHaveLength(6);
    for (const chart of charts) expectSoundSvg(chart);
    expect(new Set(page.ids).size).toBe(page.ids.length);
    for (const [name, value] of page.attributes)
      if (name === 'aria-labelledby') for (const id of value.split(' ')) expect(page.ids).toContain(id);
  });

  test('has the numbers of every curve and of every task in tables', () => {
    const tasks = page.tables.get('Success per task of A and B, the largest difference first') ?? [];
    expect(tasks).toHaveLength(1 + (comparison.differences[0]?.tasks.length ?? 0));
    for (const [index, { task }] of comparison.differences[0]?.tasks.entries() ?? [])
      expect(tasks[index + 1]?.[0]).toBe(task);
    expect(page.tables.get('Success over environment steps')).toHaveLength(1 + 2 * 3);
  });

  test('says what is missing, and which versions trained', () => {
    expect(page.text).toContain('b: The file is damaged. Restore it.');
    expect(page.text).toContain('onnxruntime-node 1.30.0');
    expect(page.text).toContain('not recorded');
  });

  test('is small with many runs and many tasks', () => {
    const many = Array.from({ length: 12 }, (_, index) => {
      const make = index % 2 === 0 ? recordedRun : graded;
      return make(`run-${index}`, {
        evaluation: {
          ...{ version: 1, seconds: 1, broken: 0 },
          episodes: episodesOf(400, 4, (task, instance) => (task + instance + index) % 3 === 0),
        },
        curation: Array.from({ length: 120 }, (_, at) => ({
          ...{ seconds: 5 * at + index / 100, trainable: at, filtered: 2 * at, pool: at, staleness: at % 7 },
        })),
      });
    });
    expect(htmlOf(compared(...many)).length).toBeLessThan(2_000_000);
  });

  test('a single run has no findings and no tasks', () => {
    const single = parsed(htmlOf(compared(recordedRun('a'))));
    expect(single.text).toContain('Report of a');
    expect(single.text).not.toContain('Findings');
    expect([...single.tables.keys()].some(caption => caption.startsWith('Success per task'))).toBe(false);
  });
});

describe('the settings that differ', () => {
  const textOf = (...sides: readonly RecordedSide[]) => parsed(htmlOf(compared(...sides))).text;
  const EQUAL = 'All settings but the seed are equal.';
  const { config: _, ...damaged } = recordedRun('damaged');

  test('are none if runs have equal settings', () => {
    expect(textOf(recordedRun('a'), recordedRun('b'))).toContain(EQUAL);
    expect(textOf(recordedRun('a'), recordedRun('b', { from: 'x' }))).toContain(EQUAL);
  });

  test('are not there if nothing is compared', () => {
    const evaluation = recordedEvaluation('evaluate-1', () => true);
    for (const text of [textOf(recordedRun('a')), textOf(recordedRun('a'), evaluation), textOf(damaged)])
      expect(text).not.toMatch(/Settings that differ|are equal/);
  });

  test('are unknown of runs without recorded settings', () => {
    const text = textOf(recordedRun('a'), recordedRun('b'), damaged);
    expect(text).not.toContain(EQUAL);
    expect(text).toContain('The settings of damaged are not recorded.');
  });
});

test('the CSV files have a row for each run, point and task', () => {
  const comparison = compared(recordedRun('a'), graded('b, "quoted"'), recordedRun('c'));
  const files = csvOf(comparison);
  const rows = (name: keyof typeof files) => files[name].trimEnd().split('\n');
  expect(rows('runs.csv')).toHaveLength(1 + 3);
  // Two arms: three runs with three evaluations, and a mean of arm A at three positions, over two axes.
  expect(rows('curves.csv')).toHaveLength(1 + 2 * (3 * 3 + 3));
  expect(rows('tasks.csv')).toHaveLength(1 + 6);
  expect(files['runs.csv']).toContain('"b, ""quoted"""');
  const [head = ''] = rows('tasks.csv');
  expect(head.split(',').at(-1)).toBe('p_holm');
  for (const row of rows('tasks.csv')) expect(row.split(',')).toHaveLength(head.split(',').length);
});
