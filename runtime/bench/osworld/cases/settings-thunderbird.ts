// Cases of the metrics of Thunderbird.

import type { Random } from '../../../core/rng.ts';
import type { CaseMakers } from '../metric-case.ts';
import { changedText, foundText, oneIn, pick, repeat, shuffled } from './texts-choice.ts';
import { ruleFor } from './texts-json.ts';
import { textFile, word } from './words.ts';

const PREFERENCES: readonly (readonly [key: string, value: unknown])[] = [
  ['extensions.activeThemeID', 'thunderbird-compact-dark@mozilla.org'],
  ['mail.identity.id1.htmlSigText', 'Anonym\n<b>XYZ Lab</b> "x"'],
  ['mail.server.default.applyIncomingFilters', true],
  ['mail.imap.use_status_for_biff', false],
  ['mail.server.default.autosync_offline_stores', true],
  ['mail.openMessageBehavior', 1],
  ['mail.tabs.drawInTitlebar', -2.5],
  ['mail.accountmanager.accounts', 'account1,account2'],
  ['a key with \\"quotes\\"', 'naïve'],
];

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const condition = (random: Random): string =>
  pick(random, [
    `AND (subject,contains,${word(random)})`,
    `OR (from,is,"${word(random)} (a), ${word(random)}")`,
    "AND (subject,doesn't contain,discount)",
    'AND (to or cc,is in ab,jsaddrbook://abook.sqlite)',
    'ALL',
  ]);

const filterLines = (random: Random, conditions: readonly string[]): readonly string[] => {
  const lines = [
    `name=${quoted(`${word(random)} ${oneIn(random, 4) ? '"x"' : ''}`)}`,
    `enabled="${pick(random, ['yes', 'yes', 'no'])}"`,
    'type="17"',
    `action="${pick(random, ['Move to folder', 'Forward'])}"`,
    `actionValue=${quoted(`mailbox://nobody@Local%20Folders/${pick(random, ['Promotions', 'a\\b'])}`)}`,
    `condition=${quoted(conditions.join(' '))}`,
  ];
  if (oneIn(random, 6)) return [...lines.slice(0, 3), ...lines.slice(5), ...lines.slice(3, 5)];
  if (oneIn(random, 8)) return [...lines, 'action="Mark read"'];
  return oneIn(random, 10) ? lines.slice(1) : lines;
};

const mail = (random: Random, start: string): string =>
  `${start}Thu Jan 25 12:56:06 2024\nX-Mozilla-Status: ${pick(random, ['0001', '0008', '0009'])}\nX-Mozilla-Keys: label\nMIME-Version: 1.0\nSubject: ${word(random)}\n\n${word(random)}\n`;

/** A folder of mails; OSWorld splits it at "FROM - ", which Thunderbird does not write. */
const folder = (random: Random): string =>
  pick(random, [
    '',
    '\n \n',
    repeat(2, () => mail(random, 'From - ')).join('\n'),
    repeat(2, () => mail(random, 'FROM - ')).join('\n'),
    repeat(2, () => mail(random, 'From - ')).join('\n'),
    `FROM - FROM - ${mail(random, 'FROM - ')}`,
    `${mail(random, 'From - ')}FROM - \n`,
    mail(random, 'FROM - ').repeat(2),
  ]);

export const THUNDERBIRD_CASES = {
  check_thunderbird_prefs: random => {
    const kept = shuffled(random, PREFERENCES).slice(0, 4 + random.int(5));
    const lines = kept.map(([key, value]) => `user_pref("${key}", ${JSON.stringify(value)});`);
    const extra = pick(random, [
      ...repeat(20, () => '// Mozilla User Preferences'),
      'user_pref("mail.bad", \'text\');',
      `  user_pref("mail.openMessageBehavior", 2);  `,
      'pref("mail.openMessageBehavior", 2);',
    ]);
    const rules = (count: number): unknown =>
      Object.fromEntries(
        shuffled(random, kept)
          .slice(0, count)
          .map(([key, value]) => [
            oneIn(random, 12) ? 'missing.key' : key,
            oneIn(random, 3) ? { method: 'eq', ref: value } : ruleFor(random, value),
          ]),
      );
    return {
      result: foundText(random, 'prefs.js', [...lines, extra].join(pick(random, ['\n', '\n', '\r\n']))),
      expected: {
        ...(!oneIn(random, 5) && { expect: rules(1 + random.int(2)) }),
        ...(oneIn(random, 3) && { unexpect: rules(1) }),
      },
    };
  },
  check_thunderbird_filter: random => {
    const all = repeat(1 + random.int(3), () => repeat(1 + random.int(2), () => condition(random)));
    const filters = all.map(conditions => filterLines(random, conditions));
    const text = ['version="9"', 'logging="no"', ...filters.flat()].join('\n');
    const index = random.int(all.length);
    const value = (key: string): string =>
      filters[index]
        ?.find(line => line.startsWith(`${key}=`))
        ?.slice(key.length + 2, -1)
        .replaceAll('\\"', '"')
        .replaceAll('\\\\', '\\') ?? '';
    const full = {
      enabled: value('enabled'),
      action: value('action'),
      actionValue: value('actionValue'),
      condition: all[index] ?? [],
    };
    const pattern = Object.fromEntries(Object.entries(full).filter(() => !oneIn(random, 3)));
    const other = pick<unknown>(random, [
      { condition: ['ALL'] },
      { ...pattern, enabled: 'no' },
      { name: word(random) },
      { condition: changedText(random, String(all[0])) },
    ]);
    return {
      result: foundText(random, 'msgFilterRules.dat', oneIn(random, 6) ? text : `${text}\n`),
      expected: {
        ...(!oneIn(random, 5) && { expect: [oneIn(random, 5) ? other : pattern] }),
        ...(oneIn(random, 3) && { unexpect: [other] }),
      },
    };
  },
  check_thunderbird_folder: random => {
    const options = Object.fromEntries(
      ['ignore_status', 'ignore_keys', 'remove_deleted', 'remove_duplicate']
        .filter(() => oneIn(random, 3))
        .map(name => [name, oneIn(random, 2)]),
    );
    if (oneIn(random, 2))
      return {
        result: foundText(random, 'Bills', folder(random)),
        expected: textFile('Bills', folder(random)),
        options,
      };
    const golds = repeat(1 + random.int(2), () => folder(random));
    const found = golds.map((gold, index) =>
      foundText(random, `a${index}`, oneIn(random, 2) ? gold : folder(random)),
    );
    return {
      result: pick<unknown>(random, [found, found, found, found.slice(1), null]),
      expected: golds.map((gold, index) => textFile(`b${index}`, gold)),
      options,
    };
  },
} satisfies CaseMakers;
