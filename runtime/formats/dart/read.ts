// Reads DART messages: final_messages.json, the pictures beside it, and reward.txt.

import type { Point } from '../../core/screen.ts';
import type { Step } from '../../core/step.ts';
import {
  EpisodeError,
  type ReadEpisode,
  type ReadItem,
  type ReadOptions,
  requireSteps,
  type TrajectoryReader,
} from '../episode.ts';
import { outcomeOf } from '../outcome.ts';
import { loadPictures, type PictureReference, screenIn } from '../pictures.ts';
import type { SourceFiles } from '../source/source.ts';
import { pointerAfterTurn, stepsOfTurn } from '../steps.ts';
import { checkedJson, jsonIn, refusalOf, scoreOf } from '../text.ts';
import { dartSpace, readDartTurn } from './grammar.ts';
import {
  type DartMessage,
  dartMessages,
  instructionIn,
  mayBeMessages,
  picturesIn,
  textIn,
} from './messages.ts';
import { episodeNamed, rewardFile } from './names.ts';

export const DART_READER: TrajectoryReader = {
  format: 'dart',
  async read(file, source, options) {
    if (!/\.json$/i.test(file)) return undefined;
    const value = await jsonIn(file, source);
    return mayBeMessages(value) ? items(value, file, source, options) : undefined;
  },
};

async function* items(
  value: unknown,
  file: string,
  source: SourceFiles,
  options: ReadOptions,
): AsyncGenerator<ReadItem> {
  try {
    const messages = checkedJson(dartMessages, value, 'a list of chat messages');
    yield { kind: 'episode', file, episode: await episodeOf(messages, file, source, options) };
  } catch (error) {
    yield { kind: 'refused', file, why: refusalOf(error) };
  }
}

async function episodeOf(
  messages: readonly DartMessage[],
  file: string,
  source: SourceFiles,
  options: ReadOptions,
): Promise<ReadEpisode> {
  const { turns, final, prompt } = turnsIn(messages);
  if (turns.length === 0)
    throw new EpisodeError('It has no message of the assistant, so no step. Leave it out.');
  const loaded = await loadPictures([...turns.map(({ picture }) => picture), final], file, source);
  const screen = screenIn(loaded.pictures, options.screen);
  const space = spaceOrRefusal(screen);
  const steps: Step[] = [];
  /** A later action of a turn has no picture of its own. */
  const pictures: Uint8Array[] = [];
  let pointer: Point | undefined;
  for (const [index, { raw }] of turns.entries()) {
    const turn = readDartTurn(raw, space, pointer);
    pointer = pointerAfterTurn(turn.reading, pointer);
    const picture = loaded.pictures[index];
    if (picture !== undefined) pictures[steps.length] = picture;
    const made = stepsOfTurn(turn);
    requireSteps(steps.length + made.length);
    steps.push(...made);
  }
  const last = loaded.pictures[turns.length];
  if (last !== undefined) pictures[steps.length] = last;
  const score = await scoreOf(rewardFile(file), source);
  return {
    ...episodeNamed(file, source.above),
    seed: 0,
    instruction: instructionIn(prompt),
    steps,
    pictures: Array.from(pictures, picture => picture ?? new Uint8Array()),
    outcome: outcomeOf(score ?? { kind: 'none', why: NO_REWARD }, steps.at(-1)?.action),
    mode: 'screenshot',
    notes: loaded.notes,
  };
}

const NO_REWARD = 'There is no reward.txt beside final_messages.json, so the score is unknown.';

interface MessageTurns {
  readonly turns: readonly { readonly raw: string; readonly picture: PictureReference }[];
  /** The picture after the last turn. */
  readonly final: PictureReference;
  readonly prompt: string;
}

/** The picture before a turn is the latest one since the turn before. */
function turnsIn(messages: readonly DartMessage[]): MessageTurns {
  const turns: { readonly raw: string; readonly picture: PictureReference }[] = [];
  let picture: PictureReference;
  let prompt: string | undefined;
  for (const message of messages) {
    if (message.role === 'assistant') {
      turns.push({ raw: textIn(message), picture });
      picture = undefined;
    } else if (message.role === 'user') {
      picture = picturesIn(message).map(referenceOf).at(-1) ?? picture;
      if (textIn(message) !== '') prompt ??= textIn(message);
    }
  }
  return { turns, final: picture, prompt: prompt ?? '' };
}

/** A data URL contains the picture. */
function referenceOf(url: string): PictureReference {
  const [, base64] = /^data:image\/png;base64,([\s\S]*)$/.exec(url) ?? [];
  return base64 === undefined ? url : new Uint8Array(Buffer.from(base64, 'base64'));
}

function spaceOrRefusal(screen: Parameters<typeof dartSpace>[0]): ReturnType<typeof dartSpace> {
  try {
    return dartSpace(screen);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new EpisodeError(error.message);
  }
}
