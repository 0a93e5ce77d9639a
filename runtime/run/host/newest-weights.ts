// The agent of evaluations: servers of a model have few versions at a time, so it decides with the newest weights. Each step records its
// version.

import { type Agent, withNext } from '../../core/agent.ts';
import { unlessAborted } from '../../core/run-together.ts';
import type { RollingUpdate } from '../../endpoints/rolling/rolling-update.ts';

/** The first decision of an episode waits until no server waits for the version of its task. */
export const withNewestWeights = (
  agent: Agent,
  weights: Pick<RollingUpdate, 'reached'> | undefined,
): Agent => ({
  id: agent.id,
  begin: ({ version, ...task }) => {
    const session = agent.begin(task);
    if (version === undefined || weights === undefined) return session;
    let reached: Promise<void> | undefined;
    return withNext(session, async screen => {
      task.signal.throwIfAborted();
      reached ??= unlessAborted(weights.reached(version), task.signal);
      await reached;
      return session.next(screen);
    });
  },
});
