// Varies a finding: repeats its actions on another instance with other rows and other words. One finding becomes many examples.

import { pseudoWord } from '../../agents/compact/renaming.ts';
import { capital } from '../../agents/compact/word-tokenizer.ts';
import type { Action } from '../../core/action.ts';
import { oneOf } from '../../core/chance.ts';
import { key } from '../../core/key.ts';
import type { Random } from '../../core/rng.ts';
import { centre, type Element, elementAt, type Point } from '../../core/screen.ts';
import { startOf } from '../../environments/pocket/getters.ts';
import type { PocketSuite } from '../../environments/pocket/tasks/suite.ts';
import { currentOutcome, type RelabelledEpisode } from '../relabel/hindsight.ts';
import { THING_ROLES } from '../thing-roles.ts';

const SIGNS = ['+', '-', '*', '/'];

/** The same kind of outcome on another instance; undefined if the actions do not lead to it. */
export function varied(
  { task, seed, outcome, actions }: RelabelledEpisode,
  suite: PocketSuite,
  random: Random,
): RelabelledEpisode | undefined {
  const other = suite.seed('train', random.int(suite.trainSeeds));
  const [known, played] = [startOf(suite.task(task, seed)), startOf(suite.task(task, other))];
  const otherSigns = random.next() < 0.5;
  const done: Action[] = [];
  for (const action of actions) {
    const another = (point: Point) =>
      counterpart(point, known.machine.elements(), played.machine.elements(), random);
    const next = variedAction(action, another, random, otherSigns);
    if (next === undefined) return undefined;
    known.machine.perform(action);
    played.machine.perform(next);
    done.push(next);
  }
  const now = currentOutcome(played);
  return now?.kind === outcome.kind ? { task, seed: other, outcome: now, actions: done } : undefined;
}

function variedAction(
  action: Action,
  another: (point: Point) => Point | undefined,
  random: Random,
  otherSigns: boolean,
): Action | undefined {
  switch (action.kind) {
    case 'type':
      return { kind: 'type', text: variedText(action.text, random, otherSigns) };
    case 'drag': {
      const [from, to] = [another(action.from), another(action.to)];
      return from && to && { kind: 'drag', from, to };
    }
    case 'hotkey': {
      const [first, ...others] = action.keys;
      const isSign = others.length === 0 && SIGNS.includes(first);
      const sign = isSign && otherSigns ? oneOf(random, SIGNS) : undefined;
      return sign === undefined ? action : { kind: 'hotkey', keys: [key(sign)] };
    }
    case 'click':
    case 'double_click':
    case 'right_click':
    case 'middle_click':
    case 'triple_click':
    case 'scroll': {
      const at = another(action.at);
      return at && { ...action, at };
    }
    default:
      return action;
  }
}

/** The position of the corresponding element on the other instance. */
function counterpart(
  point: Point,
  known: readonly Element[],
  there: readonly Element[],
  random: Random,
): Point | undefined {
  const meant = elementAt(known, point);
  if (meant === undefined) return undefined;
  const alike = there.filter(({ role }) => role === meant.role);
  const same = alike.findLast(({ name }) => name === meant.name);
  const free = THING_ROLES.has(meant.role) && (same === undefined || random.next() < 0.7);
  const chosen = free ? oneOf(random, alike) : same;
  return chosen && centre(chosen.box);
}

/** Replaces words by pronounceable words, digits by digits, and in a sum the signs. */
export function variedText(text: string, random: Random, otherSigns = true): string {
  const isSum = /^[\d.]+([-+*/][\d.]+)+=?$/.test(text);
  return text.replace(/\p{L}+|\d+|[-+*/]/gu, part => {
    if (SIGNS.includes(part)) return isSum && otherSigns ? (oneOf(random, SIGNS) ?? part) : part;
    if (/\d/.test(part)) return String(1 + random.int(10 ** Math.min(4, part.length + random.int(3))));
    if (part === 'txt') return part;
    const word = pseudoWord(random, Math.max(2, part.length - 1 + random.int(4)));
    return part[0] === part[0]?.toUpperCase() ? capital(word) : word;
  });
}
