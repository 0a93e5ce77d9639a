// Conditions on the world at the end of an episode, from which the evaluators of pocket tasks are built.

import type { Evaluator, Getter } from '../../../core/task.ts';
import { joined, nameOf } from '../world.ts';

export interface EndCondition {
  readonly func: 'exact_match' | 'match_in_list' | 'check_include_exclude';
  readonly result: Getter;
  readonly expected: Getter;
}

const rule = (expected: unknown): Getter => ({ type: 'rule', rules: { expected } });

/** All conditions must hold. */
export const all = (...conditions: readonly EndCondition[]): Evaluator => ({
  func: conditions.map(({ func }) => func),
  result: conditions.map(({ result }) => result),
  expected: conditions.map(({ expected }) => expected),
  conj: 'and',
});

/** The agent must report that the task cannot be done. */
export const infeasible = (): Evaluator => ({ func: 'infeasible' });

const equal = (result: Getter, expected: unknown): EndCondition => ({
  func: 'exact_match',
  result,
  expected: rule(expected),
});

/** Paths in the world name list items by index, such as 'mails.3.body'. */
export const stateIs = (path: string, value: unknown): EndCondition =>
  equal({ type: 'pocket_state', path }, value);

/** The text at this path includes and excludes these parts. */
export const stateHas = (
  path: string,
  include: readonly string[],
  exclude: readonly string[] = [],
): EndCondition => ({
  func: 'check_include_exclude',
  result: { type: 'pocket_state', path },
  expected: { type: 'rule', rules: { include, exclude } },
});

export const stateIsOneOf = (path: string, choices: readonly unknown[]): EndCondition => ({
  func: 'match_in_list',
  result: { type: 'pocket_state', path },
  expected: rule(choices),
});

/** The whole text of the file, without trailing whitespace. */
export const fileIs = (path: string, text: string): EndCondition =>
  equal({ type: 'pocket_file', path, trim_end: true }, text.trimEnd());

export const noFile = (path: string): EndCondition => equal({ type: 'pocket_file', path }, null);

/** The records that match `where` equal `wanted`, compared in the fields of the first wanted record. */
export const recordsAre = (
  records: 'mails' | 'contacts' | 'events',
  where: Readonly<Record<string, unknown>>,
  wanted: readonly Readonly<Record<string, unknown>>[],
): EndCondition =>
  equal({ type: `pocket_${records}`, where, ...(wanted[0] && { pick: Object.keys(wanted[0]) }) }, wanted);

/**
 * Nothing else changed. In a pattern '*' matches one part of a path and a final '**' matches the rest:
 * 'settings.volume', 'mails.12.read', 'root.entries.Notes.**'.
 */
export const onlyChanged = (...patterns: readonly string[]): EndCondition =>
  equal({ type: 'pocket_changes', ignore: patterns }, []);

/** The path of a file or folder as conditions write it. */
export const inWorld = (path: string): string => `root${path.replaceAll('/', '.entries.')}`;

/** Nothing else changed than these files, and folders that were created or removed as a whole. */
export const onlyFiles = (...paths: readonly string[]): EndCondition =>
  onlyChanged(...paths.flatMap(path => [inWorld(path), `${inWorld(path)}.text`]));

/** The file moved to another path, and nothing else changed. */
export const fileMoved = (from: string, to: string, text: string): Evaluator =>
  all(noFile(from), fileIs(to, text), onlyFiles(from, to));

/** The file is in the trash, from which it can be restored, and nothing else changed. */
export const fileTrashed = (path: string, text: string): Evaluator =>
  fileMoved(path, joined('/Trash', nameOf(path)), text);

/** The file has this text, and nothing else changed. */
export const onlyFileIs = (path: string, text: string): Evaluator => all(fileIs(path, text), onlyFiles(path));
