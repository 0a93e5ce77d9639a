// The observation of a step: the instruction, and the screen as a PNG, as lines of text, or both.

import * as z from 'zod';
import { type ListLimits, listElements, nameOf, targetOf } from '../agents/model/elements.ts';
import { ScreenEncoder } from '../agents/model/image/screen-encoder.ts';
import type { Screen } from '../core/screen.ts';

export const OBSERVATION_MODES = ['screenshot', 'text', 'both'] as const;
export type ObservationMode = (typeof OBSERVATION_MODES)[number];

const MEDIA_TYPE = 'image/png';

/** More than a prompt of Dartboard has: the client decides what its model gets. */
const LIMITS: ListLimits = { elements: 500, characters: 40_000, text: 200 };

/** The keys of `observation`, and beside them `reward`, `done` and `metadata` as in the schemas of the official server. */
export const observationSchema = z.strictObject({
  instruction: z.string().describe('The task in words.'),
  width: z.int().min(1).describe('The width of the screen in pixels.'),
  height: z.int().min(1).describe('The height of the screen in pixels.'),
  screenshot: z.string().exactOptional().describe('The screen as a PNG in base64.'),
  media_type: z.literal(MEDIA_TYPE).exactOptional().describe('The type of the screenshot.'),
  elements: z
    .string()
    .exactOptional()
    .describe(
      'The accessibility tree from back to front, one line for each element: role, name, value, states, and the point to click.',
    ),
  error: z.string().exactOptional().describe('Why the action was not performed.'),
});
export type ServedObservation = z.infer<typeof observationSchema>;

/** Observes the screens of one episode. The encoder keeps the unchanged parts of the last screenshot. */
export class ObservationWriter {
  readonly #encoder = new ScreenEncoder(size => size);
  readonly #instruction: string;
  readonly #mode: ObservationMode;

  constructor(instruction: string, mode: ObservationMode) {
    this.#instruction = instruction;
    this.#mode = mode;
  }

  /** Reads the pixels before it returns. One call at a time. */
  async observe(screen: Screen, error?: string): Promise<ServedObservation> {
    const { width, height } = screen.pixels;
    const png = this.#mode === 'text' ? undefined : this.#encoder.encode(screen.pixels);
    const elements = this.#mode === 'screenshot' ? undefined : elementLines(screen);
    return {
      ...{ instruction: this.#instruction, width, height },
      ...(png !== undefined && { screenshot: base64(await png), media_type: MEDIA_TYPE }),
      ...(elements !== undefined && { elements }),
      ...(error !== undefined && { error }),
    };
  }
}

/** One line for each visible element: `button "Save" (disabled) at (12, 40)`. */
export const elementLines = (screen: Screen): string =>
  listElements(screen, LIMITS)
    .map(element => {
      const at = targetOf(element.box, screen.pixels);
      return at === undefined ? nameOf(element, LIMITS) : `${nameOf(element, LIMITS)} at (${at.x}, ${at.y})`;
    })
    .join('\n');

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
