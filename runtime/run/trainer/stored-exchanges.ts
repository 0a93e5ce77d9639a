// The conversations of steps, for the learner of files. A batch has only their tokens, so they are read from the files of the trajectories.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chatIn } from '../../agents/model/chat-observation.ts';
import { isMissing } from '../../core/errors.ts';
import { type RunId, type TrajectoryId, trajectoryId } from '../../core/ids.ts';
import type { Step } from '../../core/step.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { placeOf } from '../../data/files/places.ts';
import { decodeTrajectory } from '../../data/files/trajectory-file.ts';
import type { ChatExchange } from '../../learner/file/fine-tuning.ts';
import type { RowOrigin } from '../../learner/learner.ts';

/** `root` is the folder of the runs. A trajectory that is no longer stored has no exchanges. */
export function storedExchanges(
  root: string,
  run: RunId,
): (origin: Pick<RowOrigin, 'trajectory' | 'index'>) => Promise<ChatExchange | undefined> {
  // The rows of a trajectory are adjacent.
  let last: { readonly id: TrajectoryId; readonly trajectory: Promise<Trajectory | undefined> } | undefined;
  return async ({ trajectory, index }) => {
    const id = trajectoryId(trajectory);
    if (last?.id !== id) last = { id, trajectory: storedTrajectory(join(root, placeOf(id, run))) };
    const found = await last.trajectory;
    return exchangeIn(found?.steps.filter(({ chosen }) => chosen?.trace.kind !== 'same-turn')[index]);
  };
}

async function storedTrajectory(path: string): Promise<Trajectory | undefined> {
  try {
    return await decodeTrajectory(await readFile(path), path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Of a turn: its first step has the reply. */
export function exchangeIn(step: Step | undefined): ChatExchange | undefined {
  const { observation, chosen } = step ?? {};
  if (observation === undefined || chosen?.trace.kind !== 'tokens') return undefined;
  return { messages: chatIn(observation), reply: chosen.trace.raw };
}
