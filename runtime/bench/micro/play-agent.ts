// Plays instances of the pocket desktop with an agent, at temperature 0, one step after another.

import type { Agent } from '../../core/agent.ts';
import { desktopId } from '../../core/ids.ts';
import type { Mode } from '../../core/policy.ts';
import type { Random } from '../../core/rng.ts';
import { type Instance, stepLimit } from '../../core/task.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import { POCKET } from '../../environments/pocket/tasks/suite.ts';

export interface PlayedInstance {
  readonly instance: Instance;
  readonly score: number;
  readonly steps: number;
  /** Replies without an action that can be performed. */
  readonly malformed: number;
  readonly completionTokens: number;
  readonly latencyMs: number;
}

export async function playAgent(
  agent: Agent,
  instance: Instance,
  mode: Mode,
  random: Random,
): Promise<PlayedInstance> {
  const { task: id, seed } = instance;
  const task = POCKET.task(id, seed);
  const maxSteps = stepLimit(task);
  const desktop = new PocketDesktop(desktopId(`micro-${id}-${seed}`));
  const session = agent.begin({
    ...{ episode: `${id}/${seed}/${mode}`, instruction: task.instruction, mode, maxSteps },
    ...{ temperature: 0, exploration: 0, random, signal: new AbortController().signal },
  });
  const counted = { steps: 0, malformed: 0, completionTokens: 0, latencyMs: 0 };
  try {
    let screen = await desktop.reset(task, seed);
    while (counted.steps < maxSteps) {
      const { actions, trace } = await session.next(screen);
      if (trace.kind === 'tokens') {
        if (trace.malformed !== undefined) counted.malformed += 1;
        counted.completionTokens += trace.tokens.length;
        counted.latencyMs += trace.served.latencyMs;
      }
      for (const { action } of actions) {
        counted.steps += 1;
        if (action.kind === 'finished' || action.kind === 'fail') {
          const { score } = await desktop.judge(action.kind);
          return { instance, score, ...counted };
        }
        if (action.kind !== 'none') screen = await desktop.act(action);
        session.acted(action, screen);
      }
    }
    return { instance, score: (await desktop.judge('capped')).score, ...counted };
  } finally {
    session.close();
    await desktop.close();
  }
}
