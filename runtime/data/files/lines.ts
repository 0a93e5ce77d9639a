// traj.jsonl: one line a step, with the fields that OSWorld's results have and ours under one key `dartboard`. OSWorld's readers find
// pyautogui code; ours read the action from computer_13, which carries its words as well.

import * as z from 'zod';
import { computer13 } from '../../agent/codecs/computer13.ts';
import { pyautogui } from '../../agent/codecs/pyautogui.ts';
import { wordless } from '../../core/action.ts';
import type { Decision } from '../../core/decision.ts';
import type { Step } from '../../core/step.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { rewardOf } from '../../core/verdict.ts';
import { candidate, decision, version } from './schema.ts';

export const LINES_NAME = 'traj.jsonl';
export const frameName = (index: number): string => `step_${index}.png`;
export const observationName = (index: number): string => `step_${index}.observation`;

const line = z.object({
  dartboard: z.object({
    action: z.unknown(),
    meant: z.array(candidate),
    chosen: z.object({ version, decisions: z.array(decision) }).exactOptional(),
    encoding: z.string().exactOptional(),
  }),
});

/** Less likely alternatives are not kept, nor more than so many of a decision. */
const LEAST_LIKELY = Math.log(0.01);
const MOST_ALTERNATIVES = 4;

const compact = (made: Decision): Decision => ({
  ...made,
  alternatives: made.alternatives
    .filter(({ logProbability }) => logProbability >= LEAST_LIKELY)
    .slice(0, MOST_ALTERNATIVES),
});

/** What a file keeps of a trajectory, and reading gives back: observations that can be made again and unlikely alternatives are left out. */
export function keptOf(trajectory: Trajectory): Trajectory {
  const isRedrawn = trajectory.frames.kind === 'redrawn';
  return {
    ...trajectory,
    steps: trajectory.steps.map(({ action, meant, observation, chosen }) => ({
      action,
      meant,
      ...(observation && !isRedrawn && { observation }),
      ...(chosen && { chosen: { ...chosen, decisions: chosen.decisions.map(compact) } }),
    })),
  };
}

/** Of a trajectory as it is kept. */
export function linesOf(trajectory: Trajectory): string {
  const { steps, frames, outcome, startedAt } = trajectory;
  const images = frames.kind === 'png' ? frames.images.length : 0;
  const lines = steps.map(({ action, meant, observation, chosen }, index) => {
    const isLast = index === steps.length - 1;
    return {
      step_num: index + 1,
      // Steps have no time of their own: the episode's start stands for all.
      action_timestamp: timestamp(startedAt),
      action: pyautogui.encode(wordless(action)),
      response: '',
      // Where the infrastructure broke there is no reward, and not one of 0.
      reward: isLast ? (rewardOf(outcome) ?? null) : 0,
      done: isLast,
      info: {},
      ...(index + 1 < images && { screenshot_file: frameName(index + 1) }),
      dartboard: {
        action: computer13.encode(action),
        meant,
        ...(chosen && { chosen }),
        ...(observation && { encoding: observation.encoding }),
      },
    };
  });
  return lines.map(each => `${JSON.stringify(each)}\n`).join('');
}

export const linesIn = (text: string): readonly string[] => text.split('\n').slice(0, -1);

/** Throws a ZodError, a SyntaxError or an ActionFormatError on a line that `linesOf` did not write. */
export async function stepOf(text: string, observationBytes: () => Promise<Uint8Array>): Promise<Step> {
  const { action, meant, chosen, encoding } = line.parse(JSON.parse(text)).dartboard;
  return {
    action: computer13.decode(action),
    meant,
    ...(encoding !== undefined && { observation: { encoding, bytes: await observationBytes() } }),
    ...(chosen && { chosen }),
  };
}

/** '20261120@182149000000': as OSWorld writes it, in UTC. */
const timestamp = (at: number): string => {
  const [day = '', time = ''] = new Date(at).toISOString().split('T');
  return `${day.replaceAll('-', '')}@${time.replaceAll(/[:.Z]/g, '')}000`;
};
