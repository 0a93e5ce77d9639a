// Screens, and what a policy is shown of them, for tests: small ones made by hand, and real ones of the pocket desktop.

import { EMPTY_MEMORY, type EpisodeMemory } from '../../../runtime/agents/compact/episode-memory.ts';
import type { Observation } from '../../../runtime/agents/compact/observation.ts';
import { observeScreen } from '../../../runtime/agents/compact/observe-screen.ts';
import type { Tokens } from '../../../runtime/agents/compact/token-features.ts';
import { tokensOf } from '../../../runtime/agents/compact/tokens.ts';
import { seed } from '../../../runtime/core/ids.ts';
import type { Mode } from '../../../runtime/core/policy.ts';
import type { Element, Pixels, Screen } from '../../../runtime/core/screen.ts';
import { startOf } from '../../../runtime/environments/pocket/getters.ts';
import type { PocketMachine } from '../../../runtime/environments/pocket/machine.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';

type Some = Partial<Omit<Element, 'box'>> & { readonly box?: readonly [number, number, number, number] };

export const element = ({ box: [x, y, width, height] = [0, 0, 10, 10], ...rest }: Some = {}): Element => ({
  role: 'button',
  name: '',
  value: '',
  states: [],
  ...rest,
  box: { x, y, width, height },
});

/** A screen on which all is of one grey, but for the pixels that are named. */
export function blankPixels(
  width: number,
  height: number,
  layout: Pixels['layout'] = 'rgba',
  grey = 40,
): Pixels {
  return {
    layout,
    width,
    height,
    data: new Uint8Array(width * height * (layout === 'rgba' ? 4 : 3)).fill(grey),
  };
}

export function dot({ width, layout, data }: Pixels, x: number, y: number, colour: readonly number[]): void {
  data.set(colour, (y * width + x) * (layout === 'rgba' ? 4 : 3));
}

/** Something that is drawn: all pixels of a box. */
export function block(
  pixels: Pixels,
  x: number,
  y: number,
  width: number,
  height: number,
  level = 255,
): void {
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column++) dot(pixels, column, row, [level, level, level]);
}

export const screen = (elements: readonly Element[], pixels: Pixels = blankPixels(320, 240)): Screen => ({
  pixels,
  elements,
});

export const seenOf = (
  instruction: string,
  elements: readonly Element[] = [],
  { recent, memory }: Partial<EpisodeMemory> = {},
): Observation =>
  observeScreen(screen(elements), instruction, 'a11y_tree', { recent: recent ?? [], memory: memory ?? [] });

export const tokens = (...given: Parameters<typeof seenOf>): Tokens => tokensOf(seenOf(...given));

export const screenOf = (machine: PocketMachine): Screen => {
  const { width, height } = machine.size;
  return {
    pixels: { layout: 'rgba', width, height, data: machine.pixels().slice() },
    elements: machine.elements(),
  };
};

/** How an instance of a pocket task starts, as a policy is shown it. */
export function pocketSeen(id: string, number: number, mode: Mode = 'screenshot_a11y_tree'): Observation {
  const task = POCKET.task(id, seed(number));
  return observeScreen(screenOf(startOf(task).machine), task.instruction, mode, EMPTY_MEMORY);
}

/** The starts of some pocket tasks, of different lengths. */
export const pocketRows = (count: number, mode?: Mode): readonly Tokens[] => {
  const { templates } = POCKET;
  const step = Math.max(1, Math.floor(templates.length / count));
  return Array.from({ length: count }, (_, index) =>
    tokensOf(pocketSeen(templates[(index * step) % templates.length]?.id ?? '', index, mode)),
  );
};
