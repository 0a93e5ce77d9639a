// traj.jsonl: one line per step, with the fields of OSWorld results and Dartboard's own under the key `dartboard`. OSWorld tools read the
// pyautogui code; Dartboard reads the computer_13 action, which also contains the typed text.

import * as z from 'zod';
import { computer13 } from '../../agents/codecs/computer13.ts';
import { pyautogui } from '../../agents/codecs/pyautogui.ts';
import { CHAT_ENCODING } from '../../agents/model/chat-observation.ts';
import { wordless } from '../../core/action.ts';
import type { EncodedObservation } from '../../core/policy.ts';
import type { Step } from '../../core/step.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { rewardOf } from '../../core/verdict.ts';
import { chosenLine, chosenLineOf, chosenOf, keptTrace } from './choice-line.ts';
import { candidate } from './schema.ts';

export const LINES_NAME = 'traj.jsonl';
export const frameName = (index: number): string => `step_${index}.png`;
export const observationName = (index: number): string => `step_${index}.observation`;

const line = z.object({
  dartboard: z.object({
    action: z.unknown(),
    meant: z.array(candidate),
    chosen: chosenLine.exactOptional(),
    encoding: z.string().exactOptional(),
    match: z.object({ step: z.int().min(0), score: z.number() }).exactOptional(),
  }),
});

/** The part of a trajectory that a file stores. It excludes reproducible observations and unlikely alternatives. */
export function keptOf(trajectory: Trajectory): Trajectory {
  const isRedrawn = trajectory.frames.kind === 'redrawn';
  return {
    ...trajectory,
    steps: trajectory.steps.map(({ action, meant, observation, chosen, match }) => ({
      action,
      meant,
      // The messages to a model cannot be reproduced: they contain its replies.
      ...(observation && (!isRedrawn || isChat(observation)) && { observation }),
      ...(chosen && { chosen: { ...chosen, trace: keptTrace(chosen.trace) } }),
      ...(match && { match }),
    })),
  };
}

/** Without the ids of prompts, the only optional part that grows with each step: the messages have the same text. */
export const withoutPromptIds = (trajectory: Trajectory): Trajectory => ({
  ...trajectory,
  steps: trajectory.steps.map(step => {
    if (step.chosen?.trace.kind !== 'tokens') return step;
    const { prompt: _, ...trace } = step.chosen.trace;
    return { ...step, chosen: { ...step.chosen, trace } };
  }),
});

export const isChat = ({ encoding }: EncodedObservation): boolean => encoding === CHAT_ENCODING;

/** Serialises a trajectory that `keptOf` returned. */
export function linesOf(trajectory: Trajectory): string {
  const { steps, frames, outcome, startedAt } = trajectory;
  const images = frames.kind === 'png' ? frames.images : [];
  const lines = steps.map(({ action, meant, observation, chosen, match }, index) => {
    const isLast = index === steps.length - 1;
    return {
      step_num: index + 1,
      // Steps have no timestamp; all have the start of the episode.
      action_timestamp: timestamp(startedAt),
      // Nothing was executed for a reply without an action.
      action: action.kind === 'none' ? '' : pyautogui.encode(wordless(action)),
      response: chosen?.trace.kind === 'tokens' ? chosen.trace.raw : '',
      // A broken episode has no reward, rather than a reward of 0.
      reward: isLast ? (rewardOf(outcome) ?? null) : 0,
      done: isLast,
      info: {},
      ...((images[index + 1]?.length ?? 0) > 0 && { screenshot_file: frameName(index + 1) }),
      dartboard: {
        action: computer13.encode(action),
        meant,
        ...(chosen && { chosen: chosenLineOf(chosen) }),
        ...(observation && { encoding: observation.encoding }),
        ...(match && { match }),
      },
    };
  });
  return lines.map(each => `${JSON.stringify(each)}\n`).join('');
}

export const linesIn = (text: string): readonly string[] => text.split('\n').slice(0, -1);

/** Throws a ZodError, SyntaxError or ActionFormatError on an invalid line. */
export async function stepOf(text: string, observationBytes: () => Promise<Uint8Array>): Promise<Step> {
  const { action, meant, chosen, encoding, match } = line.parse(JSON.parse(text)).dartboard;
  return {
    action: computer13.decode(action),
    meant,
    ...(encoding !== undefined && { observation: { encoding, bytes: await observationBytes() } }),
    ...(chosen && { chosen: chosenOf(chosen) }),
    ...(match && { match }),
  };
}

/** OSWorld's format in UTC: '20261120@182149000000'. */
const timestamp = (at: number): string =>
  `${new Date(at)
    .toISOString()
    .replaceAll(/[-:.Z]/g, '')
    .replace('T', '@')}000`;
