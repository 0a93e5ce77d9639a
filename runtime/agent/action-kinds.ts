// The kinds of action that a policy chooses among, and which further decisions each of them takes.

import type { Action } from '../core/action.ts';
import type { Head } from '../core/decision.ts';

/**
 * What is decided on the way to an action, in order. A drag asks the pointer twice. A text begins with the word `text` of the
 * instruction and ends with its word `end`; or it is of the element, line or memory `text`, all of it or its words from `first` to
 * `last`.
 */
export const SLOTS = ['kind', 'pointer', 'target', 'text', 'end', 'first', 'last', 'key'] as const;
export type Slot = (typeof SLOTS)[number];

export const HEAD_OF: Readonly<Record<Slot, Head>> = {
  kind: 'kind',
  pointer: 'pointer',
  target: 'pointer',
  text: 'text',
  end: 'text',
  first: 'text',
  last: 'text',
  key: 'key',
};

/** In an order that does not change: weights are trained on its numbers. */
export const KINDS = [
  'click',
  'double_click',
  'right_click',
  'drag',
  'type',
  'hotkey',
  'scroll_down',
  'scroll_up',
  'wait',
  'finished',
  'fail',
] as const;
export type PolicyActionKind = (typeof KINDS)[number];

const POINTING: ReadonlySet<PolicyActionKind> = new Set<PolicyActionKind>([
  'click',
  'double_click',
  'right_click',
  'drag',
  'scroll_down',
  'scroll_up',
]);

/** The slots that a kind may decide after itself; which of a text's depends on where it begins. */
export function slotsOf(kind: PolicyActionKind): readonly Slot[] {
  if (kind === 'drag') return ['pointer', 'target'];
  if (POINTING.has(kind)) return ['pointer'];
  if (kind === 'type') return ['text', 'end', 'first', 'last'];
  return kind === 'hotkey' ? ['key'] : [];
}

/** The number of an action's kind; undefined for what a policy does not choose: a mere move, scrolling sideways. */
export function kindNumber(action: Action): number | undefined {
  const name = action.kind === 'scroll' ? `scroll_${action.direction}` : action.kind;
  const number = (KINDS as readonly string[]).indexOf(name);
  return number < 0 ? undefined : number;
}
