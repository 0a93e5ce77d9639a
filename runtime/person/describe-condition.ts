// Describes a condition of an evaluator in words: the value found, and the expected one if they differ.

import { capital } from '../agents/compact/word-tokenizer.ts';
import type { Evaluator, Getter } from '../core/task.ts';
import { sameValue } from '../tasks/metrics/same-value.ts';

export interface EvaluatorCondition extends Evaluator {
  readonly func: string;
  readonly result?: Getter;
  readonly expected?: Getter;
}

/** Evaluates a getter on the current state of a desktop. */
export type DesktopQuery = (getter: Getter) => Promise<unknown>;

/** Undefined for other kinds of conditions: the caller uses the evaluator's own reason. */
export async function describeCondition(
  query: DesktopQuery,
  condition: EvaluatorCondition,
  met: boolean,
): Promise<string | undefined> {
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
        ? `${thing} is ${formatValue(found)}.`
        : `${thing} should be ${formatValue(wanted)}, and is ${insteadOf(wanted, found)}.`;
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
  if (wanted === null) return met ? `${file} is gone.` : `${file} exists, but should not.`;
  if (found === null) return `${file} is not there.`;
  return met
    ? `${file} has the right text.`
    : `${file} should say ${formatValue(wanted)}, but says ${insteadOf(wanted, found)}.`;
}

function aboutFolder(path: string, found: unknown, wanted: unknown, met: boolean): string {
  const folder = path === '/' ? 'The top folder' : `The folder ${path}`;
  if (wanted === null) return met ? `${folder} is gone.` : `${folder} exists, but should not.`;
  if (found === null) return `${folder} is not there.`;
  const content = (of: unknown) => list(of).join(', ') || 'nothing';
  return met
    ? `${folder} holds ${content(found)}.`
    : `${folder} should hold ${content(wanted)}, but holds ${content(found)}.`;
}

/** The subject of a condition about one text. */
function textOf({ type, path }: Getter): string {
  return type === 'pocket_file' ? `The file ${String(path)}` : capital(place(String(path)));
}

function aboutChoice(result: Getter, found: unknown, rules: Fields, met: boolean): string {
  const choices = list(rules['expected']).map(formatValue).join(' or ');
  return met
    ? `${textOf(result)} is ${formatValue(found)}.`
    : `${textOf(result)} should be ${choices}, but is ${formatValue(found)}.`;
}

function aboutParts(result: Getter, found: unknown, rules: Fields, met: boolean): string | undefined {
  const thing = textOf(result);
  if (met) return `${thing} has the right text.`;
  if (found === null || found === undefined) return `${thing} is not there.`;
  // Lists only the parts that are missing, and the excluded parts that are present.
  const isThere = (part: string) => String(found).includes(part);
  const include = list(rules['include']).filter(part => !isThere(part));
  const exclude = list(rules['exclude']).filter(isThere);
  const parts = [
    ...(include.length > 0 ? [`should have ${some(include.map(formatValue))}`] : []),
    ...(exclude.length > 0 ? [`should not have ${some(exclude.map(formatValue))}`] : []),
  ];
  return `${thing} ${parts.join(' and ')}, but says ${formatValue(found)}.`;
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
      : `There should be no ${noun} with ${such}, but there is one.`;
  }
  if (met) return asItShould(noun, right);
  const [missing, odd] = [beyond(there, right), beyond(right, there)];
  if (missing.length === 0) {
    return odd.length === 0
      ? `The ${noun}s are all there, in another order.`
      : `There should be no other ${noun}, but there is ${some(odd.map(record => pairs(record)))}.`;
  }
  const one =
    missing.length === 1 ? `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}` : `${missing.length} ${noun}s`;
  // Leaves out fields with default values.
  const wish = some(
    missing.map(record => pairs({ ...about, ...record }, value => value !== '' && value !== false)),
  );
  return `There should be ${one} with ${wish}; ${instead(odd, missing)}.`;
}

/** The records that `others` lacks, as a multiset difference. */
function beyond(others: readonly Fields[], records: readonly Fields[]): readonly Fields[] {
  const left = [...others];
  return records.filter(record => {
    const at = left.findIndex(each => sameValue(each, record));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Names the records if all have a name. */
function asItShould(noun: string, right: readonly Fields[]): string {
  const names = right.flatMap(({ subject, title, name }) => [subject ?? title ?? name ?? []].flat());
  const things = right.length === 1 ? `The ${noun}` : `The ${noun}s`;
  const called = names.length === right.length ? ` ${some(names.map(formatValue))}` : '';
  return `${things}${called} ${right.length === 1 ? 'is as it' : 'are as they'} should be.`;
}

/** The wrong fields of a single record; several records in full. */
function instead(there: readonly Fields[], right: readonly Fields[]): string {
  const [found, wanted] = [there[0], right[0]];
  if (found === undefined || wanted === undefined) return 'there is none';
  if (there.length > 1 || right.length > 1) return `there is ${some(there.map(record => pairs(record)))}`;
  const wrong = Object.entries(found)
    // The desktop shows no ids of records.
    .filter(([name, value]) => name !== 'id' && !sameValue(value, wanted[name]))
    .map(([name, value]) => `${spaced(name)} ${insteadOf(wanted[name], value)}`);
  return `it has ${wrong.join(', ')}`;
}

/** The value found. If it is displayed like the expected one, states the difference. */
function insteadOf(wanted: unknown, found: unknown): string {
  if (formatValue(found) !== formatValue(wanted)) return formatValue(found);
  const words = (of: unknown) =>
    (typeof of === 'string' ? of : String(JSON.stringify(of))).trim().split(/\s+/);
  const difference = sameValue(words(found), words(wanted))
    ? 'other blanks or line breaks'
    : 'a difference further on';
  return `${formatValue(found)} with ${difference}`;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const records = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const list = (of: unknown): readonly string[] => (Array.isArray(of) ? of.map(String) : []);

const pairs = (fields: Fields, isListed: (value: unknown) => boolean = () => true): string =>
  Object.entries(fields)
    .filter(([, value]) => isListed(value))
    // The desktop shows no ids of records.
    .filter(([name]) => name !== 'id')
    .map(([name, value]) => `${spaced(name)} ${formatValue(value)}`)
    .join(', ');

/** The first few, and the number of the others. */
const some = (of: readonly string[]): string =>
  of.length <= 4 ? of.join('; ') : `${of.slice(0, 3).join('; ')}; and ${of.length - 3} more`;

function formatValue(of: unknown): string {
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

/** A path in the world in words: 'settings.nightLight' is 'night light in Settings'. */
function place(path: string): string {
  const [area = '', name = '', ...rest] = path.split('.');
  const field = spaced(rest.join(' '));
  switch (area) {
    case 'root': {
      // File names contain dots, so the path is split at '.entries.' instead.
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
