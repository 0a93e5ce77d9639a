// Turns a conversation into the observation that the policy would have in an episode of its own: the current screen, and the memory of
// earlier actions, which it computes again from the earlier replies and screens. Pure.
//
// Equal observations need every earlier reply and, in the modes with elements, every earlier '## Screen'. A client that drops old turns
// makes the policy forget texts that are no longer visible.

import { uitars } from '../agents/codecs/uitars.ts';
import { EMPTY_MEMORY, type EpisodeMemory, updateMemory } from '../agents/compact/episode-memory.ts';
import type { Observation } from '../agents/compact/observation.ts';
import { observedElements, observeScreen } from '../agents/compact/observe-screen.ts';
import { type CoordinateSpace, spaceOn } from '../agents/model/frame.ts';
import { FRAME_RULES } from '../agents/model/profiles/frames.ts';
import { type Action, pointerAfter } from '../core/action.ts';
import { messageOf } from '../core/errors.ts';
import { decodePng } from '../core/png-reader.ts';
import type { Mode } from '../core/policy.ts';
import type { Element, Pixels, Point, Screen, Size } from '../core/screen.ts';
import { badRequest } from './api-error.ts';
import type { Conversation, SentScreen } from './conversation.ts';

/** The meaning of coordinates in replies, by the release of UI-TARS that a client expects. */
export const COORDINATES = {
  /** Pixels of the image after the model's own resize to multiples of 28. */
  'ui-tars-1.5': screen => spaceOn(FRAME_RULES['ui-tars-1.5'], screen),
  /** Thousandths of each side. */
  'ui-tars-1.0': screen => spaceOn(FRAME_RULES['ui-tars-1.0'], screen),
} as const satisfies Record<string, (screen: Size) => CoordinateSpace>;
export type Coordinates = keyof typeof COORDINATES;

/** The largest image that models of the family take; it bounds the memory of a request. */
const MAX_IMAGE_PIXELS = 16_384 * 28 ** 2;

export interface ObservedConversation {
  readonly observation: Observation;
  readonly space: CoordinateSpace;
}

/** Throws an ApiError. */
export function observeConversation(
  { instruction, past, current }: Conversation,
  mode: Mode,
  coordinates: Coordinates,
): ObservedConversation {
  const screen = screenOf(current, mode);
  const space = spaceFor(screen.pixels, coordinates);
  const screens = [...past.map(({ screen }) => elementsOf(screen)), screen];
  let memory = EMPTY_MEMORY;
  let pointer: Point | undefined;
  for (const [index, { reply }] of past.entries()) {
    const [before, after] = [screens[index] ?? {}, screens[index + 1] ?? {}];
    for (const action of actionsIn(reply, space, pointer)) {
      memory = remember(memory, before, action, after, mode);
      pointer = pointerAfter(action) ?? pointer;
    }
  }
  return { observation: observeScreen(screen, instruction, mode, memory), space };
}

function spaceFor(screen: Size, coordinates: Coordinates): CoordinateSpace {
  try {
    return COORDINATES[coordinates](screen);
  } catch (error) {
    throw badRequest('messages', messageOf(error), error);
  }
}

type ScreenElements = Pick<Screen, 'elements'>;

const remember = (
  memory: EpisodeMemory,
  before: ScreenElements,
  action: Action,
  after: ScreenElements,
  mode: Mode,
): EpisodeMemory => updateMemory(memory, { mode, ...observedElements(before, mode) }, action, after);

const elementsOf = ({ listed }: SentScreen): ScreenElements =>
  listed === undefined ? {} : { elements: listed.elements };

/** A reply that cannot be read did nothing, like a wait. */
function actionsIn(reply: string, space: CoordinateSpace, pointer: Point | undefined): readonly Action[] {
  try {
    return uitars(space).decodeAll(reply, pointer);
  } catch (error) {
    return [{ kind: 'none', why: messageOf(error) }];
  }
}

function screenOf({ image, listed }: SentScreen, mode: Mode): Screen {
  if (mode !== 'screenshot' && listed === undefined)
    throw badRequest(
      'messages',
      `The policy was trained in the mode '${mode}', and the last message has no elements. Send a text part '## Screen', or serve a policy of the mode 'screenshot'.`,
    );
  const elements: readonly Element[] | undefined = mode === 'screenshot' ? undefined : listed?.elements;
  const pixels = pixelsOf(image, listed?.size, mode);
  return { pixels, ...(elements !== undefined && { elements }) };
}

function pixelsOf(image: string | undefined, size: Size | undefined, mode: Mode): Pixels {
  // Without pixels in its mode, a policy needs the size of the screen only.
  if (mode === 'a11y_tree' && size !== undefined) return { ...size, layout: 'rgb', data: new Uint8Array() };
  if (image === undefined)
    throw badRequest(
      'messages',
      `The policy was trained in the mode '${mode}', and the last message has no image. Send a PNG as an image_url.`,
    );
  const pixels = decodedImage(image);
  if (size !== undefined && (size.width !== pixels.width || size.height !== pixels.height))
    throw badRequest(
      'messages',
      `The image has ${pixels.width} × ${pixels.height} pixels and '## Screen' ${size.width} × ${size.height}. Send the screen in its own size.`,
    );
  return pixels;
}

const PNG_URL = /^data:image\/png;base64,/i;

function decodedImage(url: string): Pixels {
  const prefix = PNG_URL.exec(url)?.[0];
  if (prefix === undefined)
    throw badRequest(
      'messages',
      `The image ${JSON.stringify(url.slice(0, 40))} is no PNG in a data URL. Send data:image/png;base64,…; the server loads no other addresses.`,
    );
  try {
    return decodePng(Buffer.from(url.slice(prefix.length), 'base64'), MAX_IMAGE_PIXELS);
  } catch (error) {
    throw badRequest('messages', messageOf(error), error);
  }
}
