// A host's side of the channel of trajectories. An episode that no message can carry is sent as a broken one, as the daemon does with one that
// no file can represent: its order ends, and nobody plays it for ever.

import { messageOf } from '../../core/errors.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { WorkQueue } from '../channels.ts';
import { UnfitValue } from './codec.ts';

export const sendableResults = (
  results: WorkQueue<Trajectory>,
  health: (thing: string, healthy: boolean, message: string) => void,
): WorkQueue<Trajectory> => ({
  put: async trajectory => {
    try {
      await results.put(trajectory);
    } catch (error) {
      if (!(error instanceof UnfitValue)) throw error;
      const message = messageOf(error);
      health('trajectories', false, `The trajectory ${trajectory.id} is sent as broken. ${message}`);
      await results.put(brokenBy(message, trajectory));
    }
  },
  taker: () => results.taker(),
  depth: () => results.depth(),
});

function brokenBy(message: string, { images: _, ...trajectory }: Trajectory): Trajectory {
  const failure = { boundary: 'provider', thing: 'trajectories', message } as const;
  const { frames } = trajectory;
  return {
    ...trajectory,
    steps: [],
    frames: frames.kind === 'png' ? { ...frames, images: [] } : frames,
    outcome: { kind: 'broken', failure },
  };
}
