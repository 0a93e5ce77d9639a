// An agent that acts at random: the lower bound of every score, and a robustness test of the desktop.

import type { Action, Direction } from '../../core/action.ts';
import { oneOf } from '../../core/chance.ts';
import { KEYS, type Key, key } from '../../core/key.ts';
import type { Random } from '../../core/rng.ts';
import { centre, type Element, type Point, type Size } from '../../core/screen.ts';

const DIRECTIONS: readonly Direction[] = ['up', 'down', 'left', 'right'];
const MODIFIERS: readonly Key[] = ['ctrl', 'alt', 'shift'].map(key);
const TEXTS = [
  'hello',
  'a',
  '12:30',
  'Ada Abel',
  '3.14',
  '\n',
  'two\nlines',
  '/',
  '~!@#$%^&*()',
  '   ',
  'x'.repeat(120),
];

/** A random action, mostly on a visible element. */
export function randomAction(random: Random, elements: readonly Element[], size: Size): Action {
  const anywhere = (): Point => ({ x: random.int(size.width), y: random.int(size.height) });
  const somewhere = (): Point => {
    const element = random.next() < 0.8 ? oneOf(random, elements) : undefined;
    return element === undefined ? anywhere() : centre(element.box);
  };
  const chance = random.next();
  if (chance < 0.5) return { kind: 'click', at: somewhere() };
  if (chance < 0.6) return { kind: 'double_click', at: somewhere() };
  if (chance < 0.67) return { kind: 'right_click', at: somewhere() };
  if (chance < 0.75) return { kind: 'drag', from: somewhere(), to: somewhere() };
  if (chance < 0.84) return { kind: 'type', text: oneOf(random, TEXTS) ?? 'a' };
  if (chance < 0.92) {
    const pressed = oneOf(random, KEYS) ?? key('enter');
    return {
      kind: 'hotkey',
      keys: random.next() < 0.5 ? [pressed] : [oneOf(random, MODIFIERS) ?? key('ctrl'), pressed],
    };
  }
  if (chance < 0.97) {
    return {
      kind: 'scroll',
      at: somewhere(),
      direction: oneOf(random, DIRECTIONS) ?? 'down',
      notches: 1 + random.int(9),
    };
  }
  return chance < 0.985 ? { kind: 'move', at: anywhere() } : { kind: 'wait' };
}
