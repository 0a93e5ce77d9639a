// The text part of a message that contains the elements of a screen. A policy that was trained with elements reads it; no other
// extension of the protocol is needed, so every client can send it. docs/agents.md documents the format.

import * as z from 'zod';
import { parsedJson } from '../core/json.ts';
import { safeParse } from '../core/safe-parse.ts';
import type { Element, ElementState, Size } from '../core/screen.ts';

/** The first line of the part. */
const HEADING = '## Screen\n';
const MAX_SIDE = 16_384;
const MAX_LISTED_ELEMENTS = 10_000;
const MAX_TEXT = 100_000;
const MAX_STATES = 32;

const STATES: readonly ElementState[] = [
  'checked',
  'disabled',
  'editable',
  'expanded',
  'focused',
  'pressed',
  'selected',
];

const side = z.int().min(1).max(MAX_SIDE);
const place = z.int().min(-MAX_SIDE).max(MAX_SIDE);
const text = z.string().max(MAX_TEXT);
const length = z.int().min(0).max(MAX_SIDE);
const states = z.array(z.string()).max(MAX_STATES);
/** Role, name, value, states, x, y, width, height. */
const element = z.tuple([text, text, text, states, place, place, length, length]);
const listedScreen = z.object({
  width: side,
  height: side,
  elements: z.array(element).max(MAX_LISTED_ELEMENTS),
});

/** A screen without its pixels. */
export interface ListedScreen {
  readonly size: Size;
  /** From back to front. */
  readonly elements: readonly Element[];
}

export const isScreenPart = (part: string): boolean => part.startsWith(HEADING);

export function writeScreenPart({ size: { width, height }, elements }: ListedScreen): string {
  const rows = elements.map(({ role, name, value, states, box }) => [
    ...[role, name, value, states],
    ...[box.x, box.y, box.width, box.height],
  ]);
  return `${HEADING}${JSON.stringify({ width, height, elements: rows })}`;
}

/** Drops states that no policy distinguishes. Throws a RangeError. */
export function readScreenPart(part: string): ListedScreen {
  const parsed = safeParse(listedScreen, parsedJson(part.slice(HEADING.length)));
  if (!parsed.success)
    throw new RangeError(
      `The text part '## Screen' is invalid (${z.prettifyError(parsed.error).replaceAll('\n', ' ')}). After its first line, write {"width", "height", "elements": [[role, name, value, [states], x, y, width, height], …]}.`,
    );
  const { width, height, elements } = parsed.data;
  return {
    size: { width, height },
    elements: elements.map(([role, name, value, states, x, y, boxWidth, boxHeight]) => ({
      ...{ role, name, value },
      states: STATES.filter(state => states.includes(state)),
      box: { x, y, width: boxWidth, height: boxHeight },
    })),
  };
}
