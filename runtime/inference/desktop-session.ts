// Where a policy performs: desktops of the kind that a configuration names, opened in this process, and what can be told of what was
// done on them.

import type { Config } from '../config/config.ts';
import type { Action } from '../core/action.ts';
import type { Clock } from '../core/clock.ts';
import type { Desktop } from '../core/desktop.ts';
import type { DesktopId, RunId } from '../core/ids.ts';
import { ProcessorTime } from '../core/processor-time.ts';
import type { Task } from '../core/task.ts';
import { outcomeAfter } from '../discovery/relabel/hindsight.ts';
import type { Suite } from '../environments/suite.ts';
import { embeddedFabric } from '../fabric/embedded.ts';
import { openKind } from '../run/host-kinds.ts';
import type { Attempt } from './calls.ts';

/** What can be told of what was done, besides the verdict. */
export type Told = Pick<Attempt, 'outcome' | 'changes'>;

export interface DesktopSession {
  readonly suite: Suite;
  /** So many are played on at once. */
  readonly size: number;
  make(id: DesktopId): Promise<Desktop>;
  describe(task: Task, actions: readonly Action[], desktop: Desktop): Promise<Told>;
  /** What trouble desktops have, in words for a user. */
  readonly health: (thing: string, healthy: boolean, message: string) => void;
  /** After all desktops were closed. */
  close(): Promise<void>;
}

export interface DesktopSessionOptions {
  /** Whose desktops they are, for people who look at where they run. */
  readonly run: RunId;
  readonly config: Config;
  readonly clock: Clock;
  readonly health: DesktopSession['health'];
}

/** Rejects with what is missing, and what to do about it. */
export async function openDesktopSession({
  run,
  config,
  clock,
  health: report,
}: DesktopSessionOptions): Promise<DesktopSession> {
  let isOver = false;
  // What breaks because it ends is no trouble.
  const health: DesktopSession['health'] = (...event) => isOver || report(...event);
  const fabric = embeddedFabric();
  const hearing = (async () => {
    for await (const { event } of fabric.events.listen())
      if (event.kind === 'health') health(event.thing, event.healthy, event.message);
  })();
  const end = async () => {
    await fabric.close();
    await hearing;
  };
  try {
    const kind = await openKind({ run, config, fabric, clock });
    const time = new ProcessorTime();
    return {
      suite: kind.suite,
      size: config.environments.desktops,
      make: id => kind.make(id, time),
      describe: TELLERS[config.environments.kind],
      health,
      close: async () => {
        isOver = true;
        await kind.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

const TELLERS: Readonly<Record<Config['environments']['kind'], DesktopSession['describe']>> = {
  pocket: async (task, actions, desktop) => {
    const changes = await desktop.query({ type: 'pocket_changes' });
    const outcome = outcomeAfter(task, actions)?.ways[0];
    return {
      changes: Array.isArray(changes) ? changes.map(String) : [],
      ...(outcome !== undefined && { outcome }),
    };
  },
  // What changes on a real desktop is anything at all.
  docker: async () => ({}),
};
