// The policy's memory within an episode: its recent actions, and texts of earlier screens that are no longer visible, so that a
// number read in one application can be written in another. Pure: each step computes a new memory from the previous one.

import type { Action } from '../../core/action.ts';
import { type Element, elementAt, type Screen } from '../../core/screen.ts';
import { KINDS, kindNumber } from './action-kinds.ts';
import type { Observation, RecentAction, RememberedText } from './observation.ts';

export interface EpisodeMemory {
  readonly recent: readonly RecentAction[];
  readonly memory: readonly RememberedText[];
}

export const EMPTY_MEMORY: EpisodeMemory = { recent: [], memory: [] };

export const MAX_RECENT_ACTIONS = 5;
export const MAX_REMEMBERED_TEXTS = 16;
/** Texts of these roles only label the screen and are not remembered. */
const UNREMEMBERED_ROLES = new Set([
  'desktop',
  'window',
  'titlebar',
  'menu',
  'menuitem',
  'tab',
  'columnheader',
  'scrollbar',
  'button',
]);

/** Actions outside the policy's kinds, such as a pointer move, are recorded as a wait. */
const WAIT = KINDS.indexOf('wait');

/** `before` is the observation that the action was chosen on, `after` the resulting screen. */
export function updateMemory(
  last: EpisodeMemory,
  before: Pick<Observation, 'mode' | 'elements' | 'firstElement'>,
  action: Action,
  after: Pick<Screen, 'elements'>,
): EpisodeMemory {
  const elements = after.elements ?? [];
  const latest: RecentAction = {
    kind: kindNumber(action) ?? WAIT,
    text: textOf(action, before.elements),
    changed:
      before.mode === 'screenshot' || !sameElements(before.elements, elements.slice(before.firstElement)),
  };
  return {
    recent: [latest, ...last.recent].slice(0, MAX_RECENT_ACTIONS),
    memory: latest.changed ? rememberedTexts(last.memory, before.elements, elements) : aged(last.memory),
  };
}

function textOf(action: Action, elements: readonly Element[]): string {
  switch (action.kind) {
    case 'type':
      return action.text;
    case 'hotkey':
      return action.keys.join(' ');
    case 'drag':
      return `${nameAt(action.from, elements)} ${nameAt(action.to, elements)}`;
    default:
      return 'at' in action ? nameAt(action.at, elements) : '';
  }
}

const nameAt = (at: { readonly x: number; readonly y: number }, elements: readonly Element[]): string =>
  elementAt(elements, at)?.name ?? '';

function sameElements(a: readonly Element[], b: readonly Element[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, index) => {
      const other = b[index];
      return (
        other !== undefined &&
        one.name === other.name &&
        one.value === other.value &&
        one.role === other.role &&
        one.states.length === other.states.length &&
        one.states.every((state, at) => state === other.states[at]) &&
        one.box.x === other.box.x &&
        one.box.y === other.box.y &&
        one.box.width === other.box.width &&
        one.box.height === other.box.height
      );
    })
  );
}

const aged = (memory: readonly RememberedText[]): readonly RememberedText[] =>
  memory.map(({ text, age }) => ({ text, age: age + 1 }));

function rememberedTexts(
  memory: readonly RememberedText[],
  before: readonly Element[],
  after: readonly Element[],
): readonly RememberedText[] {
  const visible = new Set<string>();
  for (const { name, value } of after) {
    visible.add(name);
    if (value !== '') visible.add(value);
  }
  const wasExtended = (one: Element): boolean =>
    after.some(
      ({ role, name, value }) => role === one.role && name === one.name && value.startsWith(one.value),
    );
  const gone = new Set<string>();
  // Front elements come first, because the number of remembered texts is limited.
  for (const element of before.toReversed()) {
    const { role, name, value } = element;
    if (UNREMEMBERED_ROLES.has(role)) continue;
    if (name.length > 1 && !visible.has(name)) gone.add(name);
    if (value.length > 1 && !visible.has(value) && !wasExtended(element)) gone.add(value);
  }
  const kept: RememberedText[] = [];
  for (const text of gone) if (kept.length < MAX_REMEMBERED_TEXTS) kept.push({ text, age: 1 });
  for (const { text, age } of memory) {
    if (kept.length >= MAX_REMEMBERED_TEXTS) break;
    if (!visible.has(text) && !gone.has(text)) kept.push({ text, age: age + 1 });
  }
  return kept;
}
