// A datum of the Tinker protocol as a row of the micro model. The model reads a prompt in both directions and a reply in one, so the place
// where the reply begins matters, which the protocol does not name. Pure.

import { pictureOfPng } from '../../agents/micro/picture.ts';
import type { MicroRow } from '../../agents/micro/row.ts';
import { at } from '../../core/at.ts';
import type { TextChunk } from '../../learner/learner.ts';
import {
  type PictureChunk,
  pictureOfChunk,
  promptRowOf,
  replyRowOf,
  tokensOfFirstCharacter,
} from '../../learner/micro/prompt-row.ts';
import type { WireChunk, WireDatum, WireRecord } from '../../learner/tinker/wire/messages.ts';
import { TinkerFault } from './faults.ts';

export interface DatumRow {
  readonly row: MicroRow;
  /** The number of places of the input, and of each of its lists. */
  readonly places: number;
  /** The first place whose target is a token of the reply. */
  readonly first: number;
  /** The lists of the datum that the losses use, from the first place of the reply on. */
  readonly lists: ReadonlyMap<string, readonly number[]>;
}

interface ReadInput {
  readonly chunks: readonly (TextChunk | PictureChunk)[];
  /** The places of the image, which come first. */
  readonly patches: number;
  readonly tokens: readonly number[];
  readonly targets: readonly number[];
}

/** The lists that carry a signal: where all are 0, nothing is trained. */
const SIGNALS = ['weights', 'advantages', 'logprobs'];

/** Throws a TinkerFault or a MicroPromptError. */
export function trainingRow({ input, lossInputs }: WireDatum): DatumRow {
  const chunks = input.map(chunkOf);
  const patches = chunks.reduce(
    (sum, chunk) => sum + (chunk.kind === 'image' ? chunk.picture.patches.length : 0),
    0,
  );
  const tokens = chunks.flatMap(chunk => (chunk.kind === 'text' ? chunk.tokens : []));
  const places = patches + tokens.length;
  const targets = listNamed(lossInputs, 'target_tokens', places);
  if (targets === undefined)
    throw new TinkerFault(
      "A datum has no 'target_tokens' in loss_fn_inputs. Send the input shifted by one token.",
    );
  const lists = new Map(
    Object.keys(lossInputs).flatMap(name => {
      if (name === 'target_tokens') return [];
      if (!SIGNALS.includes(name))
        throw new TinkerFault(`A datum has '${name}' in loss_fn_inputs, which is not served. Leave it out.`);
      return [[name, listNamed(lossInputs, name, places) ?? []] as const];
    }),
  );
  const first = firstReplyPlace({ chunks, patches, tokens, targets }, [...lists.values()]);
  for (let place = first; place + 1 < places; place++)
    if (targets[place] !== tokens[place + 1 - patches])
      throw new TinkerFault(
        `The target of place ${place} is ${targets[place]}, the next token of the input is ${tokens[place + 1 - patches]}. Send targets that are the input shifted by one, with 0 for the tokens of the prompt.`,
      );
  const prompt = chunks.flatMap(chunk => (chunk.kind === 'image' ? [chunk] : []));
  const text = { kind: 'text', tokens: tokens.slice(0, first + 1 - patches) } as const;
  return {
    row: replyRowOf(promptRowOf([...prompt, text]), targets.slice(first)),
    ...{ places, first },
    lists: new Map([...lists].map(([name, list]) => [name, list.slice(first)])),
  };
}

/** An image of the protocol becomes patches. Throws a TinkerFault, a MicroPromptError or a PngError. */
export function chunkOf(chunk: WireChunk): TextChunk | PictureChunk {
  if (chunk.kind === 'text') return chunk;
  if (chunk.kind === 'pointer')
    throw new TinkerFault(`The image at '${chunk.location}' is a pointer. Send the bytes of the image.`);
  if (chunk.format !== 'png')
    throw new TinkerFault(`An image has the format '${chunk.format}'. Send PNG, which has no losses.`);
  const image: PictureChunk = {
    kind: 'image',
    name: 'of the input',
    picture: pictureOfPng(chunk.data),
    tokens: chunk.expectedTokens,
  };
  pictureOfChunk(image);
  return image;
}

function listNamed(record: WireRecord, name: string, places: number): readonly number[] | undefined {
  const tensor = record[name];
  if (tensor === undefined) return undefined;
  if (tensor.sparse === undefined && tensor.data.length === places) return tensor.data;
  throw new TinkerFault(
    `'${name}' has ${tensor.sparse === undefined ? tensor.data.length : 'a sparse list of'} numbers, the input ${places} places. Send one number for each place; an image has one place per patch.`,
  );
}

/**
 * The first of these rules that applies:
 * - Targets that begin with 0, where the next token of the input is another: the reply begins behind them. A reply may contain the token 0.
 * - Several chunks of text, and no signal before the last one: the last one continues the reply's first token.
 * - The first place with a weight, an advantage or a log-probability that is not 0.
 * - Everything behind the first token, or behind the bytes of the first character, is the reply.
 */
function firstReplyPlace(
  { chunks, patches, tokens, targets }: ReadInput,
  lists: readonly (readonly number[])[],
): number {
  const least = Math.max(0, patches - 1);
  const last = targets.length - 1;
  const isPadding = (place: number) =>
    targets[place] === 0 && place < last && tokens[place + 1 - patches] !== 0;
  const padding = targets.findIndex((_, place) => !isPadding(place));
  const signal = targets.findIndex((_, place) => lists.some(list => at(list, place) !== 0));
  if (padding > 0) {
    if (signal < 0 || signal >= padding) return Math.max(least, padding);
    throw new TinkerFault(
      `Place ${signal} has a weight, but the target 0. Send weights of 0 where the target is 0.`,
    );
  }
  const texts = chunks.filter(chunk => chunk.kind === 'text' && chunk.tokens.length > 0);
  const final = texts.at(-1);
  if (texts.length > 1 && final?.kind === 'text') {
    const begin = last - final.tokens.length;
    if (begin >= least && (signal < 0 || signal >= begin)) return begin;
  }
  return Math.max(patches > 0 ? least : tokensOfFirstCharacter(tokens) - 1, signal);
}
