// A condition of a task in words for a person: what holds, or what should hold and what is there instead.

import { capital } from '../../agent/word-tokenizer.ts';
import type { Evaluator, Getter } from '../../core/task.ts';
import { sameValue } from '../../tasks/metrics.ts';

export interface Condition extends Evaluator {
  readonly func: string;
  readonly result?: Getter;
  readonly expected?: Getter;
}

/** Asks a desktop as it stands. */
export type Query = (getter: Getter) => Promise<unknown>;

/** Undefined where the condition is of a kind that has no words here: then the evaluator's own must do. */
export async function inWords(query: Query, condition: Condition, met: boolean): Promise<string | undefined> {
  const { func, result, expected } = condition;
  if (result === undefined) return undefined;
  const found = await query(result);
  const rules = fieldsOf(expected?.['rules']);
  if (func === 'check_include_exclude') return aboutParts(result, found, rules, met);
  if (func === 'match_in_list') return aboutChoice(result, found, rules, met);
  if (func !== 'exact_match') return undefined;
  const wanted = rules['expected'];
  switch (result.type) {
    case 'pocket_changes':
      return met
        ? 'Nothing else was changed.'
        : `Something else was changed as well: ${some(list(found).map(place))}.`;
    case 'pocket_state': {
      const thing = capital(place(String(result['path'])));
      return met
        ? `${thing} is ${shown(found)}.`
        : `${thing} should be ${shown(wanted)}, and is ${insteadOf(wanted, found)}.`;
    }
    case 'pocket_file':
      return aboutFile(String(result['path']), found, wanted, met);
    case 'pocket_folder':
      return aboutFolder(String(result['path']), found, wanted, met);
    case 'pocket_mails':
      return aboutRecords('mail', result, found, wanted, met);
    case 'pocket_contacts':
      return aboutRecords('contact', result, found, wanted, met);
    case 'pocket_events':
      return aboutRecords('event', result, found, wanted, met);
    default:
      return undefined;
  }
}

function aboutFile(path: string, found: unknown, wanted: unknown, met: boolean): string {
  const file = `The file ${path}`;
  if (wanted === null) return met ? `${file} is gone.` : `${file} should not be there, and is.`;
  if (found === null) return `${file} is not there.`;
  return met
    ? `${file} has the right text.`
    : `${file} should say ${shown(wanted)}, and says ${insteadOf(wanted, found)}.`;
}

function aboutFolder(path: string, found: unknown, wanted: unknown, met: boolean): string {
  const folder = path === '/' ? 'The top folder' : `The folder ${path}`;
  if (wanted === null) return met ? `${folder} is gone.` : `${folder} should not be there, and is.`;
  if (found === null) return `${folder} is not there.`;
  const content = (of: unknown) => list(of).join(', ') || 'nothing';
  return met
    ? `${folder} holds ${content(found)}.`
    : `${folder} should hold ${content(wanted)}, and holds ${content(found)}.`;
}

/** What a condition about one text is about. */
function textOf({ type, path }: Getter): string {
  return type === 'pocket_file' ? `The file ${String(path)}` : capital(place(String(path)));
}

function aboutChoice(result: Getter, found: unknown, rules: Fields, met: boolean): string {
  const choices = list(rules['expected']).map(shown).join(' or ');
  return met
    ? `${textOf(result)} is ${shown(found)}.`
    : `${textOf(result)} should be ${choices}, and is ${shown(found)}.`;
}

function aboutParts(result: Getter, found: unknown, rules: Fields, met: boolean): string | undefined {
  const thing = textOf(result);
  if (met) return `${thing} says what it should.`;
  if (found === null || found === undefined) return `${thing} is not there.`;
  // Only what is wrong: the parts that are absent, and those that should be.
  const isThere = (part: string) => String(found).includes(part);
  const include = list(rules['include']).filter(part => !isThere(part));
  const exclude = list(rules['exclude']).filter(isThere);
  const parts = [
    ...(include.length > 0 ? [`should have ${some(include.map(shown))}`] : []),
    ...(exclude.length > 0 ? [`should not have ${some(exclude.map(shown))}`] : []),
  ];
  return `${thing} ${parts.join(' and ')}, and says ${shown(found)}.`;
}

function aboutRecords(
  noun: string,
  { where }: Getter,
  found: unknown,
  wanted: unknown,
  met: boolean,
): string {
  const about = fieldsOf(where);
  const [there, right] = [records(found), records(wanted)];
  const such = pairs(about) || 'anything in it';
  if (right.length === 0) {
    return met
      ? `There is no ${noun} with ${such}.`
      : `There should be no ${noun} with ${such}, and there is.`;
  }
  if (met) return asItShould(noun, right);
  const [missing, odd] = [beyond(there, right), beyond(right, there)];
  if (missing.length === 0) {
    return odd.length === 0
      ? `The ${noun}s are all there, in another order.`
      : `There should be no other ${noun}, and there is ${some(odd.map(record => pairs(record)))}.`;
  }
  const one =
    missing.length === 1 ? `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}` : `${missing.length} ${noun}s`;
  // What a record is by default goes without saying.
  const wish = some(
    missing.map(record => pairs({ ...about, ...record }, value => value !== '' && value !== false)),
  );
  return `There should be ${one} with ${wish}; ${instead(odd, missing)}.`;
}

/** Of some records those that others lack; where there are two alike, others need two. */
function beyond(others: readonly Fields[], records: readonly Fields[]): readonly Fields[] {
  const left = [...others];
  return records.filter(record => {
    const at = left.findIndex(each => sameValue(each, record));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Called by what it is called by, where that is known. */
function asItShould(noun: string, right: readonly Fields[]): string {
  const names = right.flatMap(({ subject, title, name }) => [subject ?? title ?? name ?? []].flat());
  const things = right.length === 1 ? `The ${noun}` : `The ${noun}s`;
  const called = names.length === right.length ? ` ${some(names.map(shown))}` : '';
  return `${things}${called} ${right.length === 1 ? 'is as it' : 'are as they'} should be.`;
}

/** Of the one that is meant, only what is wrong. */
function instead(there: readonly Fields[], right: readonly Fields[]): string {
  const [found, wanted] = [there[0], right[0]];
  if (found === undefined || wanted === undefined) return 'there is none like it';
  if (there.length > 1 || right.length > 1) return `there is ${some(there.map(record => pairs(record)))}`;
  const wrong = Object.entries(found)
    // Numbers of records are shown nowhere.
    .filter(([name, value]) => name !== 'id' && !sameValue(value, wanted[name]))
    .map(([name, value]) => `${spaced(name)} ${insteadOf(wanted[name], value)}`);
  return `it has ${wrong.join(', ')}`;
}

/** What is there in place of something else; where both are shown alike, with what tells them apart. */
function insteadOf(wanted: unknown, found: unknown): string {
  if (shown(found) !== shown(wanted)) return shown(found);
  const words = (of: unknown) =>
    (typeof of === 'string' ? of : String(JSON.stringify(of))).trim().split(/\s+/);
  const difference = sameValue(words(found), words(wanted))
    ? 'other blanks or line breaks'
    : 'a difference further on';
  return `${shown(found)} with ${difference}`;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const records = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const list = (of: unknown): readonly string[] => (Array.isArray(of) ? of.map(String) : []);

const pairs = (fields: Fields, told: (value: unknown) => boolean = () => true): string =>
  Object.entries(fields)
    .filter(([, value]) => told(value))
    // Numbers of records are shown nowhere.
    .filter(([name]) => name !== 'id')
    .map(([name, value]) => `${spaced(name)} ${shown(value)}`)
    .join(', ');

/** A few, and how many more there are. */
const some = (of: readonly string[]): string =>
  of.length <= 4 ? of.join('; ') : `${of.slice(0, 3).join('; ')}; and ${of.length - 3} more`;

function shown(of: unknown): string {
  if (typeof of === 'boolean') return of ? 'on' : 'off';
  if (of === null || of === undefined) return 'missing';
  if (of === '') return 'empty';
  if (typeof of === 'string') return `“${shortened(of.trim().replaceAll(/\s*\n\s*/g, ' ⏎ '))}”`;
  const { kind, entries } = fieldsOf(of);
  if (kind === 'folder') {
    const names = Object.keys(fieldsOf(entries));
    return names.length === 0 ? 'an empty folder' : `a folder with ${some(names)}`;
  }
  return shortened(JSON.stringify(of));
}

const shortened = (text: string): string => (text.length > 72 ? `${text.slice(0, 71)}…` : text);

/** A path in the world as a person would say it: 'settings.nightLight' is 'night light in Settings'. */
function place(path: string): string {
  const [area = '', name = '', ...rest] = path.split('.');
  const field = spaced(rest.join(' '));
  switch (area) {
    case 'root': {
      // Names of files have dots: what stands between the folders' own words is put together again.
      const names = path.split('.entries.').slice(1).join('/');
      return `/${names.replace(/\.(text|kind|trashedFrom)$/, '')}`;
    }
    case 'mails':
      return field === '' ? 'a mail' : `the ${MAIL_MARKS[field] ?? field} of a mail`;
    case 'contacts':
      return field === '' ? `the contact ${name}` : `the ${field} of the contact ${name}`;
    case 'events':
      return field === '' ? 'an event' : `the ${field} of an event`;
    default:
      if (/^\d+$/.test(field)) return `entry ${Number(field) + 1} of the ${spaced(name)} in ${capital(area)}`;
      return name === '' ? area : `${spaced([name, ...rest].join(' '))} in ${capital(area)}`;
  }
}

const MAIL_MARKS: Readonly<Record<string, string>> = { read: 'read mark', starred: 'star', to: 'address' };

const spaced = (text: string): string => text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
