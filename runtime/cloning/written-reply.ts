// Writes the reply that performs a demonstrated action: a thought that names the target, then the action in the grammar of the profile.

import { uitars } from '../agents/codecs/uitars.ts';
import { type MicroRow, patchTarget } from '../agents/micro/row.ts';
import { thoughtOf } from '../agents/micro/wording.ts';
import type { Frame } from '../agents/model/profile.ts';
import { type Action, NOTCHES, pointsOf } from '../core/action.ts';
import { at } from '../core/at.ts';
import type { Mode } from '../core/policy.ts';
import { type Element, elementAt, type Screen } from '../core/screen.ts';

export interface Demonstrated {
  readonly mode: Mode;
  readonly screen: Screen;
  readonly instruction: string;
  readonly action: Action;
}

/** Undefined if the mode cannot express the action: its target is not listed, or nothing is drawn there. */
export function replyFor(
  { mode, screen, instruction, action }: Demonstrated,
  frame: Frame,
  prompt: MicroRow,
): string | undefined {
  if (action.kind === 'scroll' && action.notches !== NOTCHES) return undefined;
  const points = pointsOf(action);
  const targets = points.flatMap(point => elementAt(screen.elements ?? [], point) ?? []);
  if (targets.length < points.length) return undefined;
  const thought = thoughtOf(action, targets, instruction);
  const boxes = targets.map(target =>
    mode === 'screenshot' ? pointIn(target, screen, prompt) : numberOf(target, frame),
  );
  const call = callOf(action, boxes, frame);
  return call && `Thought: ${thought}\nAction: ${call}`;
}

/** Its number in the list. */
function numberOf(target: Element, { elements }: Frame): string | undefined {
  const index = elements.indexOf(target);
  return index < 0 ? undefined : String(index + 1);
}

/**
 * The patch that shows the element: the first one of its widest region, which is its text rather than its icon. The name begins
 * there, so that the model can find it by reading.
 */
function pointIn(target: Element, { elements = [] }: Screen, { entries }: MicroRow): string | undefined {
  const inside = entries.flatMap(({ patch }) =>
    patch !== undefined && elementAt(elements, patchTarget(patch)) === target ? [patch] : [],
  );
  const [first, ...others] = inside;
  if (first === undefined) return undefined;
  const best = others.reduce((found, each) => (each.regionWidth > found.regionWidth ? each : found), first);
  const { x, y } = patchTarget(best);
  return `<|box_start|>(${x},${y})<|box_end|>`;
}

/** The codec writes everything but the boxes, which this model takes from its prompt. */
function callOf(action: Action, boxes: readonly (string | undefined)[], frame: Frame): string | undefined {
  if (boxes.includes(undefined)) return undefined;
  let next = 0;
  const text = uitars({ screen: frame.screen, picture: frame.screen }).encode(action);
  return text.replace(/'<\|box_start\|>\([^)]*\)<\|box_end\|>'/g, () => `'${at(boxes, next++)}'`);
}
