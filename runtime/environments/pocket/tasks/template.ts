// What a task template is: from a draw it makes an instruction, a world, and an evaluator, and it can solve what it asks.

import type { Evaluator, Getter } from '../../../core/task.ts';
import type { TaskKind } from '../../suite.ts';
import type { AppOpening } from '../getters.ts';
import type { PocketWorld } from '../world.ts';
import type { Draw } from './draw.ts';
import type { ScriptedUser } from './scripted-user.ts';

export type { Tier } from '../../suite.ts';

export interface PocketTemplate extends TaskKind {
  /** The most steps of an episode, where they are others than its tier has. */
  readonly maxSteps?: number;
  make(draw: Draw): PocketInstance;
}

export interface PocketInstance {
  readonly instruction: string;
  /** What the desktop starts with. */
  readonly world: Partial<Omit<PocketWorld, 'settings'>> & {
    readonly settings?: Partial<PocketWorld['settings']>;
  };
  readonly open?: readonly AppOpening[];
  readonly evaluator: Evaluator;
  /** A scripted solution, through the same actions an agent has. */
  readonly solve: (hand: ScriptedUser) => void;
  /** Things that are nearly right, and must score 0. */
  readonly misses: Readonly<Record<string, (hand: ScriptedUser) => void>>;
}

/** One thing that must hold in the end. */
export interface EndCondition {
  readonly func:
    | 'exact_match'
    | 'match_in_list'
    | 'check_include_exclude'
    | 'compare_text_file'
    | 'check_list';
  readonly result: Getter;
  readonly expected: Getter;
}

export const rule = (expected: unknown): Getter => ({ type: 'rule', rules: { expected } });

/** All conditions must hold. */
export const all = (...conditions: readonly EndCondition[]): Evaluator => ({
  func: conditions.map(({ func }) => func),
  result: conditions.map(({ result }) => result),
  expected: conditions.map(({ expected }) => expected),
  conj: 'and',
});

const equal = (result: Getter, expected: unknown): EndCondition => ({
  func: 'exact_match',
  result,
  expected: rule(expected),
});

export const stateIs = (path: string, value: unknown): EndCondition =>
  equal({ type: 'pocket_state', path }, value);

/** A text in the world that has these parts; what is in a list stands at its place, as in 'mails.3.body'. */
export const stateHas = (
  path: string,
  include: readonly string[],
  exclude: readonly string[] = [],
): EndCondition => ({
  func: 'check_include_exclude',
  result: { type: 'pocket_state', path },
  expected: { type: 'rule', rules: { include, exclude } },
});

/** The value at a path in the world is one of these. */
export const stateIsOneOf = (path: string, choices: readonly unknown[]): EndCondition => ({
  func: 'match_in_list',
  result: { type: 'pocket_state', path },
  expected: rule(choices),
});

/** The file's whole text, but for blanks at its end. */
export const fileIs = (path: string, text: string): EndCondition =>
  equal({ type: 'pocket_file', path, trim_end: true }, text.trimEnd());

export const noFile = (path: string): EndCondition => equal({ type: 'pocket_file', path }, null);

type Records = 'mails' | 'contacts' | 'events';

/** The records that are as `where` says are these, reduced to the fields that `wanted` names. */
export const recordsAre = (
  records: Records,
  where: Readonly<Record<string, unknown>>,
  wanted: readonly Readonly<Record<string, unknown>>[],
): EndCondition =>
  equal({ type: `pocket_${records}`, where, ...(wanted[0] && { pick: Object.keys(wanted[0]) }) }, wanted);

/**
 * Nothing else than this was changed. Patterns are paths in the world in which '*' is any one part and a last '**' all
 * that follows: 'settings.volume', 'mails.12.read', 'root.entries.Notes.**'.
 */
export const onlyChanged = (...patterns: readonly string[]): EndCondition =>
  equal({ type: 'pocket_changes', ignore: patterns }, []);

/** Right is to say that it cannot be done. */
export const infeasible = (): Evaluator => ({ func: 'infeasible' });
