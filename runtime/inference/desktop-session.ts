// The desktops on which an agent acts: opens their kind in this process, and describes what an attempt changed.

import type { Action } from '../core/action.ts';
import type { Desktop } from '../core/desktop.ts';
import type { DesktopId } from '../core/ids.ts';
import type { Mode } from '../core/policy.ts';
import { ProcessorTime } from '../core/processor-time.ts';
import type { Task } from '../core/task.ts';
import { outcomeAfter } from '../discovery/relabel/hindsight.ts';
import type { Suite } from '../environments/suite.ts';
import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import { type KindOptions, openKind } from '../run/host/host-kinds.ts';
import type { Attempt } from './calls.ts';

export interface DesktopSession {
  readonly suite: Suite;
  /** The number of desktops that run at a time. */
  readonly size: number;
  make(id: DesktopId): Promise<Desktop>;
  /** The outcome of an attempt besides its verdict. */
  describe(
    task: Task,
    actions: readonly Action[],
    desktop: Desktop,
  ): Promise<Pick<Attempt, 'outcome' | 'changes'>>;
  readonly health: KindOptions['health'];
  /** Called after all desktops are closed. */
  close(): Promise<void>;
}

export interface DesktopSessionOptions extends KindOptions {
  /** The agent that acts, which may be another one than that of `config`: it decides the scale of the screens. */
  readonly agent: string;
  /** Of its observations. */
  readonly mode: Mode;
}

/** Rejects when the kind is not available on this machine, with the reason and what to do. */
export async function openDesktopSession(
  { agent, mode, ...options }: DesktopSessionOptions,
  open = openKind,
): Promise<DesktopSession> {
  let isClosed = false;
  // Calls that closing interrupts are not failures.
  const health: KindOptions['health'] = (...event) => isClosed || options.health(...event);
  const kind = await open({ ...options, config: { ...options.config, agent, mode }, health });
  const time = new ProcessorTime();
  return {
    suite: kind.suite,
    size: options.config.environments.desktops,
    make: id => kind.make(id, time),
    describe: DESCRIBE[options.config.environments.kind],
    health,
    close: async () => {
      isClosed = true;
      await kind.close();
    },
  };
}

const DESCRIBE: Readonly<Record<DesktopKind, DesktopSession['describe']>> = {
  pocket: async (task, actions, desktop) => {
    const changes = await desktop.query({ type: 'pocket_changes' });
    const outcome = outcomeAfter(task, actions)?.ways[0];
    return {
      changes: Array.isArray(changes) ? changes.map(String) : [],
      ...(outcome !== undefined && { outcome }),
    };
  },
  // Real desktops have no list of changes.
  docker: async () => ({}),
  web: async () => ({}),
  guest: async () => ({}),
  offline: async () => ({}),
};
