// What a policy remembers within an episode: what it did lately, and texts of earlier screens that are gone from this one, so
// that a number read in one application can be written in another. Pure: each step makes a new recollection from the last.

import type { Action } from '../core/action.ts';
import { type Element, elementAt, type Screen } from '../core/screen.ts';
import { KINDS, kindNumber } from './action-kinds.ts';
import type { Observation, RecentAction, RememberedText } from './observation.ts';

export interface EpisodeMemory {
  readonly recent: readonly RecentAction[];
  readonly memory: readonly RememberedText[];
}

export const EMPTY_MEMORY: EpisodeMemory = { recent: [], memory: [] };

const MAX_RECENT_ACTIONS = 5;
const MAX_REMEMBERED_TEXTS = 16;
/** What only frames and names the things of a screen is not worth remembering. */
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

/** What no policy chooses, such as a mere move, counts as having waited. */
const WAIT = KINDS.indexOf('wait');

/** `before` is what was shown when the action was chosen, `after` the screen that came of it. */
export function updateMemory(
  last: EpisodeMemory,
  before: Observation,
  action: Action,
  after: Screen,
): EpisodeMemory {
  const elements = after.elements ?? [];
  const past: RecentAction = {
    kind: kindNumber(action) ?? WAIT,
    text: textOf(action, before.elements),
    changed:
      before.mode === 'screenshot' || !sameElements(before.elements, elements.slice(before.firstElement)),
  };
  return {
    recent: [past, ...last.recent].slice(0, MAX_RECENT_ACTIONS),
    memory: past.changed ? rememberedTexts(last.memory, before.elements, elements) : aged(last.memory),
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
  const here = new Set<string>();
  for (const { name, value } of after) {
    here.add(name);
    if (value !== '') here.add(value);
  }
  const writtenOn = (one: Element): boolean =>
    after.some(
      ({ role, name, value }) => role === one.role && name === one.name && value.startsWith(one.value),
    );
  const gone = new Set<string>();
  // What stood in front comes first: it was read last, and there is not room for all.
  for (const element of before.toReversed()) {
    const { role, name, value } = element;
    if (UNREMEMBERED_ROLES.has(role)) continue;
    if (name.length > 1 && !here.has(name)) gone.add(name);
    if (value.length > 1 && !here.has(value) && !writtenOn(element)) gone.add(value);
  }
  const kept: RememberedText[] = [];
  for (const text of gone) if (kept.length < MAX_REMEMBERED_TEXTS) kept.push({ text, age: 1 });
  for (const { text, age } of memory) {
    if (kept.length >= MAX_REMEMBERED_TEXTS) break;
    if (!here.has(text) && !gone.has(text)) kept.push({ text, age: age + 1 });
  }
  return kept;
}
