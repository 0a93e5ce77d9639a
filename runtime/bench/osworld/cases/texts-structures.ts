// Cases of metrics that check tables, JSON, YAML and databases.

import type { Random } from '../../../core/rng.ts';
import type { CaseMakers } from '../metric-case.ts';
import { foundFile, foundText, oneIn, pick, repeat } from './texts-choice.ts';
import { changedJson, jsonRecord, ruleFor } from './texts-json.ts';
import { type SqlCell, sqliteOf } from './texts-sqlite.ts';
import { yamlOf, yamlSettings } from './texts-yaml.ts';
import { textFile, word, words } from './words.ts';

const csvField = (random: Random, value: string): string => {
  const needsQuotes = /[",\n]/.test(value);
  return needsQuotes || oneIn(random, 4) ? `"${value.replaceAll('"', '""')}"` : value;
};

const csvValue = (random: Random): string =>
  pick(random, [word(random), `${random.int(100)}`, '', 'a, b', 'say "hi"', 'two\nlines', ' padded ', 'x"y']);

/** The names at a random place in a value, and the value there. */
function placeIn(
  random: Random,
  value: unknown,
): { readonly key: readonly unknown[]; readonly found: unknown } {
  const isList = Array.isArray(value);
  if (typeof value !== 'object' || value === null || oneIn(random, 6)) return { key: [], found: value };
  const entries = Object.entries(value);
  const entry = entries[random.int(Math.max(1, entries.length))];
  if (entry === undefined || oneIn(random, 12))
    return { key: [isList ? pick(random, [9, -1, 'a']) : 'missing'], found: null };
  const deeper = placeIn(random, entry[1]);
  return { key: [isList ? Number(entry[0]) : entry[0], ...deeper.key], found: deeper.found };
}

const jsonRule = (random: Random, root: unknown): unknown => {
  const { key, found } = placeIn(random, root);
  return { key, ...ruleFor(random, found) };
};

export const TEXT_STRUCTURE_CASES = {
  check_csv: random => {
    const names = pick(random, [
      ['url', 'user', 'password'],
      ['name', 'age'],
      ['a', 'b', 'c', 'a'],
    ]);
    const rows = repeat(random.int(5), () => names.map(() => csvValue(random)));
    const cells = rows.map(row => pick(random, [row, row, row, row.slice(1), [...row, 'extra']]));
    const end = pick(random, ['\n', '\n', '\r\n']);
    const text = [names, ...cells, ...(oneIn(random, 4) ? [[]] : [])]
      .map(row => row.map(each => csvField(random, each)).join(','))
      .join(end);
    const pattern = (): unknown => {
      const row = cells[random.int(Math.max(1, cells.length))] ?? [];
      const values = names.map((name, index) => [name, row[index] ?? null] as const);
      const chosen = oneIn(random, 2) ? values : values.slice(0, 1);
      return Object.fromEntries(
        chosen.map(([name, value]) => [name, oneIn(random, 8) ? csvValue(random) : value]),
      );
    };
    return {
      result: foundText(random, 'accounts.csv', oneIn(random, 6) ? text : `${text}${end}`),
      expected: {
        ...(!oneIn(random, 4) && { expect: repeat(1 + random.int(2), pattern) }),
        ...(oneIn(random, 3) && {
          unexpect: [oneIn(random, 2) ? pattern() : { [names[0] ?? '']: word(random) }],
        }),
      },
    };
  },
  check_json: random => {
    const isYaml = oneIn(random, 2);
    if (isYaml && oneIn(random, 2)) {
      const { text, rule } = yamlSettings(random);
      return {
        result: foundText(random, 'config.yaml', oneIn(random, 10) ? `${text}\n\tbad: [` : text),
        expected: oneIn(random, 4) ? { unexpect: [rule] } : { expect: [rule] },
        options: { is_yaml: true },
      };
    }
    const value = jsonRecord(random, 3);
    const text = isYaml ? yamlOf(random, value, '').trimStart() : JSON.stringify(value, null, random.int(3));
    return {
      result: foundText(random, isYaml ? 'a.yaml' : 'a.json', text),
      expected: {
        ...(!oneIn(random, 5) && { expect: repeat(1 + random.int(2), () => jsonRule(random, value)) }),
        ...(oneIn(random, 4) && { unexpect: [jsonRule(random, value)] }),
      },
      options: isYaml || oneIn(random, 4) ? { is_yaml: isYaml } : {},
    };
  },
  check_direct_json_object: random => {
    const names = words(random, 3);
    const record = Object.fromEntries(
      names.map(name => [
        name,
        pick<unknown>(random, [
          word(random),
          words(random, 3),
          random.int(9),
          null,
          'New York',
          oneIn(random, 2),
        ]),
      ]),
    );
    const isContained = oneIn(random, 2);
    const wanted = (value: unknown): unknown => {
      if (oneIn(random, 12)) return pick<unknown>(random, [word(random), words(random, 2), null]);
      if (!isContained) return value;
      if (Array.isArray(value))
        return pick<unknown>(random, [value.slice(1), value[0], [word(random), value[0]]]);
      return typeof value === 'string'
        ? pick<unknown>(random, [value, value.slice(1), [word(random), value]])
        : value;
    };
    const kept = Object.entries(record).slice(random.int(3));
    const expected = Object.fromEntries(kept.map(([key, value]) => [key, wanted(value)]));
    const text = JSON.stringify(record);
    return {
      result: pick<unknown>(random, [
        ...repeat(8, () => record),
        text,
        ` ${text.replaceAll('"', "'")}\n`,
        `${text}}`,
        'null',
        null,
        [],
      ]),
      expected: {
        expected: pick<unknown>(random, [
          ...repeat(6, () => expected),
          { ...expected, extra: '__EVALUATION_FAILED__' },
          { ...expected, ignore_list_order: pick<unknown>(random, [true, false, null]) },
        ]),
        ...(isContained && { expect_in_result: true }),
      },
    };
  },
  is_included_all_json_objects: random => {
    const value = jsonRecord(random, 2);
    const changed = oneIn(random, 2) ? changedJson(random, value) : { ...value, more: 1 };
    return {
      result: foundText(random, 'gold.json', JSON.stringify(value)),
      expected: textFile('result.json', JSON.stringify(changed)),
    };
  },
  // OSWorld compares with the current time. So that the scores do not depend on it, the limits are beyond a day or at most 0.
  compare_time_in_speedtest_results: random => {
    const minutes = pick<unknown>(random, [
      '1440',
      1500,
      ' 2000 ',
      '1440',
      '3000',
      '1441',
      1440.5,
      '+1_500',
      0,
      '-5',
      '60.5',
      'an hour',
    ]);
    const time = pick(random, [
      '12:30',
      '09:05',
      '00:00',
      '18:41',
      '9:05',
      '23:59',
      '07:10',
      '15:00',
      pick(random, ['24:00', '1:5', 'noon', '12:60']),
    ]);
    const rows = [
      'TEST_DATE,TIME_OF_DAY,DOWNLOAD_MEGABITS',
      pick(random, [
        `Broadband,2024-01-25T${time},94.1`,
        `Broadband,01/25/2024 ${time},94.1`,
        `Broadband,${time},94.1`,
        `${time}`,
      ]),
      'Broadband,2024-01-25T11:11,12',
    ];
    const text = rows.slice(0, oneIn(random, 8) ? 1 : 3).join(pick(random, ['\n', '\r\n']));
    return { result: foundText(random, 'results.csv', text), expected: minutes };
  },
  // The scores of OSWorld are not limited, ours are: a count above 1 differs, so these queries give 0 or 1 at most.
  run_sqlite3: random => {
    const rows: readonly (readonly SqlCell[])[] = repeat(random.int(6), index => [
      index + 1,
      pick(random, [13, 14, 200]),
      pick<SqlCell>(random, [word(random), 'amber', null, 0.25]),
    ]);
    const file = {
      name: 'global-messages-db.sqlite',
      bytes: sqliteOf([
        { name: 'messages', columns: ['id INTEGER', 'folderID INTEGER', 'subject'], rows },
        {
          name: 'messageAttributes',
          columns: ['attributeID', 'value', 'messageID'],
          rows: rows.map(row => [58, pick(random, [0, 1]), row[0] ?? 1]),
        },
      ]),
    };
    const sql = pick(random, [
      'select sum(1) > 0 from messageAttributes where attributeID = 58 and value = 1 and messageID in (select id from messages where folderID = 13);',
      'SELECT count(*) > 1 FROM messages',
      "select count(*) >= 1 from messages where subject like 'A%'",
      'select max(folderID) = 200 from messages',
      'select folderID = 13 from messages order by id desc limit 1',
      "select '0.5'",
      "select 'half'",
      'select subject is null from messages where id = 2',
      'select count(*) between 2 and 5 from messages',
      'select folderID > 12 from messages where id = 1',
      'select 1 from messages where id > 0 limit 1',
      "select exists (select * from messages where subject in ('amber', 'stone') or subject is null)",
      'select avg(subject) from messages where subject = 0.25',
      'select missing from messages',
      'select 1 from nowhere',
      'select 1 fro messages',
      'select 1; select 2',
    ]);
    return { result: foundFile(random, file), expected: { sql } };
  },
} satisfies CaseMakers;
