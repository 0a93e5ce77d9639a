// What a condition is in words. Only what a desktop answers matters here, so it is told directly.

import { expect, test } from 'vitest';
import type { Getter } from '../../../runtime/core/task.ts';
import {
  describeCondition,
  type EvaluatorCondition,
} from '../../../runtime/server/play/describe-condition.ts';

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

test.each<[EvaluatorCondition, unknown, boolean, string]>([
  [volume, 30, true, 'Volume in Settings is 30.'],
  [volume, 40, false, 'Volume in Settings should be 30, and is 40.'],
  [light, false, false, 'Night light in Settings should be on, and is off.'],
  [file, 'one\ntwo', true, 'The file /Notes/a.txt has the right text.'],
  [file, 'one', false, 'The file /Notes/a.txt should say “one ⏎ two”, and says “one”.'],
  [file, null, false, 'The file /Notes/a.txt is not there.'],
  [gone, null, true, 'The file /Notes/a.txt is gone.'],
  [gone, 'one', false, 'The file /Notes/a.txt should not be there, and is.'],
  [folder, [], false, 'The folder /Notes should hold a.txt, and holds nothing.'],
  [nothingElse, [], true, 'Nothing else was changed.'],
  [
    nothingElse,
    ['settings.wifi', 'root.entries.Notes.entries.a.txt.text', 'contacts.Ada Berg.phone', 'mails.3.read'],
    false,
    'Something else was changed as well: wifi in Settings; /Notes/a.txt; the phone of the contact Ada Berg; the read mark of a mail.',
  ],
  [event, [lunch], true, 'The event “Lunch” is as it should be.'],
  [
    event,
    [{ ...lunch, date: '2026-03-05' }],
    false,
    'There should be an event with title “Lunch”, date “2026-03-04”; it has date “2026-03-05”.',
  ],
  [
    event,
    [],
    false,
    'There should be an event with title “Lunch”, date “2026-03-04”; there is none like it.',
  ],
  [events, [lunch, dinner], true, 'The events “Lunch”; “Dinner” are as they should be.'],
  [
    events,
    [lunch, { ...dinner, date: '2026-03-07' }],
    false,
    'There should be an event with title “Dinner”, date “2026-03-06”; it has date “2026-03-07”.',
  ],
  [
    events,
    [lunch],
    false,
    'There should be an event with title “Dinner”, date “2026-03-06”; there is none like it.',
  ],
  [
    events,
    [lunch, dinner, dinner],
    false,
    'There should be no other event, and there is title “Dinner”, date “2026-03-06”.',
  ],
  [events, [dinner, lunch], false, 'The events are all there, in another order.'],
  [
    mail,
    [{ body: '\nHi\n\nthere ' }],
    false,
    'There should be a mail with body “Hi ⏎ there”; it has body “Hi ⏎ there” with other blanks or line breaks.',
  ],
  [
    file,
    'one\n\ntwo',
    false,
    'The file /Notes/a.txt should say “one ⏎ two”, and says “one ⏎ two” with other blanks or line breaks.',
  ],
  [
    longFile,
    `${long}b`,
    false,
    `The file /Notes/a.txt should say ${short}, and says ${short} with a difference further on.`,
  ],
  [either, 'd@e.f', true, 'The address of a mail is “d@e.f”.'],
  [either, 'x@y.z', false, 'The address of a mail should be “a@b.c” or “d@e.f”, and is “x@y.z”.'],
  [noMail, [{ id: 1 }], false, 'There should be no mail with folder “Trash”, and there is.'],
  [sum, undefined, false, 'Entry 1 of the history in Calculator is not there.'],
  [sum, '3 + 5 = 8', false, 'Entry 1 of the history in Calculator should have “= 7”, and says “3 + 5 = 8”.'],
  [
    parts,
    'milk and beer',
    false,
    'The file /Notes/a.txt should have “tea” and should not have “beer”, and says “milk and beer”.',
  ],
])('%#', async (condition, found, met, words) => {
  expect(await describeCondition(answering(found), condition, met)).toBe(words);
});

test('other kinds of conditions are left to the evaluator', async () => {
  const odd = { ...volume, func: 'compare_text_file' };
  expect(await describeCondition(answering(1), odd, false)).toBeUndefined();
});
