// Conditions in words. They depend only on the answers of a desktop, which the tests give directly.

import { expect, test } from 'vitest';
import type { Getter } from '../../runtime/core/task.ts';
import { describeCondition, type EvaluatorCondition } from '../../runtime/person/describe-condition.ts';
import { expectNamed } from '../named-values.ts';

const answering = (found: unknown) => async (): Promise<unknown> => found;

const equal = (result: Getter, expected: unknown): EvaluatorCondition => ({
  func: 'exact_match',
  result,
  expected: { type: 'rule', rules: { expected } },
});
const volume = equal({ type: 'pocket_state', path: 'settings.volume' }, 30);
const light = equal({ type: 'pocket_state', path: 'settings.nightLight' }, true);
const file = equal({ type: 'pocket_file', path: '/Notes/a.txt' }, 'one\ntwo');
const gone = equal({ type: 'pocket_file', path: '/Notes/a.txt' }, null);
const folder = equal({ type: 'pocket_folder', path: '/Notes' }, ['a.txt']);
const nothingElse = equal({ type: 'pocket_changes', ignore: [] }, []);
const lunch = { title: 'Lunch', date: '2026-03-04' };
const event = equal({ type: 'pocket_events', where: { id: 4 }, pick: ['title', 'date'] }, [lunch]);
const dinner = { title: 'Dinner', date: '2026-03-06' };
const events = equal({ type: 'pocket_events', where: {}, pick: ['title', 'date'] }, [lunch, dinner]);
const long = 'word '.repeat(20);
const short = `“${long.slice(0, 71)}…”`;
const longFile = equal({ type: 'pocket_file', path: '/Notes/a.txt' }, `${long}a`);
const mail = equal({ type: 'pocket_mails', where: { id: 4 }, pick: ['body'] }, [{ body: 'Hi\nthere' }]);
const either: EvaluatorCondition = {
  func: 'match_in_list',
  result: { type: 'pocket_state', path: 'mails.3.to' },
  expected: { type: 'rule', rules: { expected: ['a@b.c', 'd@e.f'] } },
};
const noMail = equal({ type: 'pocket_mails', where: { folder: 'Trash' } }, []);
const sum: EvaluatorCondition = {
  func: 'check_include_exclude',
  result: { type: 'pocket_state', path: 'calculator.history.0' },
  expected: { type: 'rule', rules: { include: ['= 7'] } },
};
const parts: EvaluatorCondition = {
  func: 'check_include_exclude',
  result: { type: 'pocket_file', path: '/Notes/a.txt' },
  expected: { type: 'rule', rules: { include: ['milk', 'tea'], exclude: ['beer'] } },
};

/** Each with the parts that its sentence names. */
test.each<[EvaluatorCondition, unknown, boolean, readonly string[]]>([
  [volume, 30, true, ['Volume', 'is 30']],
  [volume, 40, false, ['Volume', '30', '40']],
  [light, false, false, ['Night light', 'on', 'off']],
  [file, 'one\ntwo', true, ['/Notes/a.txt', 'right']],
  [file, 'one', false, ['/Notes/a.txt', '“one ⏎ two”', '“one”']],
  [file, null, false, ['/Notes/a.txt', 'not there']],
  [gone, null, true, ['/Notes/a.txt', 'gone']],
  [gone, 'one', false, ['/Notes/a.txt', 'should not']],
  [folder, [], false, ['/Notes', 'a.txt', 'nothing']],
  [nothingElse, [], true, ['Nothing else']],
  [
    nothingElse,
    ['settings.wifi', 'root.entries.Notes.entries.a.txt.text', 'contacts.Ada Berg.phone', 'mails.3.read'],
    false,
    ['wifi', '/Notes/a.txt', 'phone', 'Ada Berg', 'read mark', 'mail'],
  ],
  [event, [lunch], true, ['event', '“Lunch”']],
  [event, [{ ...lunch, date: '2026-03-05' }], false, ['“Lunch”', '“2026-03-04”', '“2026-03-05”']],
  [event, [], false, ['“Lunch”', '“2026-03-04”', 'none']],
  [events, [lunch, dinner], true, ['events', '“Lunch”', '“Dinner”']],
  [events, [lunch, { ...dinner, date: '2026-03-07' }], false, ['“Dinner”', '“2026-03-06”', '“2026-03-07”']],
  [events, [lunch], false, ['“Dinner”', '“2026-03-06”', 'none']],
  [events, [lunch, dinner, dinner], false, ['no other event', '“Dinner”', '“2026-03-06”']],
  [events, [dinner, lunch], false, ['another order']],
  [mail, [{ body: '\nHi\n\nthere ' }], false, ['“Hi ⏎ there”', '“Hi ⏎ there”', 'blanks']],
  [file, 'one\n\ntwo', false, ['/Notes/a.txt', '“one ⏎ two”', '“one ⏎ two”', 'blanks']],
  [longFile, `${long}b`, false, ['/Notes/a.txt', short, short, 'further on']],
  [either, 'd@e.f', true, ['address', '“d@e.f”']],
  [either, 'x@y.z', false, ['address', '“a@b.c”', '“d@e.f”', '“x@y.z”']],
  [noMail, [{ id: 1 }], false, ['no mail', '“Trash”']],
  [sum, undefined, false, ['1', 'history', 'Calculator', 'not there']],
  [sum, '3 + 5 = 8', false, ['Calculator', '“= 7”', '“3 + 5 = 8”']],
  [parts, 'milk and beer', false, ['/Notes/a.txt', '“tea”', 'not', '“beer”', '“milk and beer”']],
])('%#', async (condition, found, met, named) => {
  const sentence = await describeCondition(answering(found), condition, met);
  expectNamed(sentence, ...named, '.');
  if (met) expect(sentence).not.toMatch(/should (be|not|have|hold|say)\b.*,/);
});

test('other kinds of conditions are left to the evaluator', async () => {
  const odd = { ...volume, func: 'compare_text_file' };
  expect(await describeCondition(answering(1), odd, false)).toBeUndefined();
});
