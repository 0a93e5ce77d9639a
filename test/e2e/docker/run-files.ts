// The containers of a run, and contradictions in its trajectories.

import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { isSuccess } from '../../../runtime/core/verdict.ts';
import { type FoundContainer, openHost } from '../../../runtime/environments/docker/host.ts';
import { localAddress } from '../../environments/docker/test-engine.ts';

/** The time until an engine has removed containers. */
export const GONE = { timeout: 30_000, interval: 500 } as const;

export async function containersOf(run: string): Promise<readonly FoundContainer[]> {
  const host = await openHost(localAddress, systemClock, 'here');
  try {
    return await host.list({ 'dartboard.owner': run });
  } finally {
    host.close();
  }
}

/** Simulates the death of a container. */
export async function killContainer(id: string): Promise<void> {
  const host = await openHost(localAddress, systemClock, 'here');
  try {
    await host.remove(id);
  } finally {
    host.close();
  }
}

const PNG = '89504e470d0a1a0a';

/** Contradictions in a trajectory, as sentences. */
export function contradictions({
  id,
  outcome,
  steps,
  frames,
  maxSteps,
  instance,
}: Trajectory): readonly string[] {
  const images = frames.kind === 'png' ? frames.images : [];
  const last = steps.at(-1)?.action.kind;
  const kinds = steps.map(({ action }) => action.kind);
  const wrong: string[] = [];
  const must = (isSo: boolean, what: string) => isSo || wrong.push(`${id}: ${what}`);
  must(
    images.every(image => Buffer.from(image.subarray(0, 8)).toString('hex') === PNG),
    'a frame is not a PNG',
  );
  if (outcome.kind === 'broken') return wrong;
  must(images.length === steps.length + 1, `${images.length} frames of ${steps.length} steps`);
  must(
    outcome.ending === 'capped' ? steps.length === maxSteps : last === outcome.ending,
    `ended as '${outcome.ending}' after ${steps.length} of ${maxSteps} steps with '${last}'`,
  );
  if (instance.task === 'note-write' && isSuccess(outcome))
    must(kinds.includes('type') && kinds.includes('hotkey'), `succeeded by ${kinds.join(', ')}`);
  return wrong;
}
