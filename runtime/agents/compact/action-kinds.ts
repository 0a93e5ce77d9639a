// The kinds of action that a policy chooses among, and the further decisions of each kind.

import type { Action } from '../../core/action.ts';
import type { Head } from '../../core/decision.ts';

/**
 * The decisions of an action, in order. A drag uses the pointer head twice. A text is either the instruction from word `text` to
 * word `end`, or it comes from the element, line or remembered text `text`: whole, or its words from `first` to `last`.
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

/** The order is fixed: trained weights depend on the indices. */
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

const POINTER_KINDS: ReadonlySet<PolicyActionKind> = new Set<PolicyActionKind>([
  'click',
  'double_click',
  'right_click',
  'drag',
  'scroll_down',
  'scroll_up',
]);

/** The slots that follow a kind. The slots of a text also depend on the chosen token. */
export function slotsOf(kind: PolicyActionKind): readonly Slot[] {
  if (kind === 'drag') return ['pointer', 'target'];
  if (POINTER_KINDS.has(kind)) return ['pointer'];
  if (kind === 'type') return ['text', 'end', 'first', 'last'];
  return kind === 'hotkey' ? ['key'] : [];
}

/** Index of an action's kind; undefined for actions that no policy chooses, such as pointer moves and horizontal scrolling. */
export function kindNumber(action: Action): number | undefined {
  const name = action.kind === 'scroll' ? `scroll_${action.direction}` : action.kind;
  const number = (KINDS as readonly string[]).indexOf(name);
  return number < 0 ? undefined : number;
}
