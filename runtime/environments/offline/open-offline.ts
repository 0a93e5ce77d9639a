// Opens the desktops of a run that play stored trajectories.

import { messageOf } from '../../core/errors.ts';
import { BoundaryError } from '../../core/failure.ts';
import type { TaskId } from '../../core/ids.ts';
import type { DesktopProvider } from '../provider.ts';
import { OfflineDesktop } from './desktop.ts';
import type { ExpertAbout, ExpertSource, ExpertTrajectory } from './expert-trajectory.ts';
import { offlineSuite } from './suite.ts';

export interface OfflineOptions {
  readonly source: ExpertSource;
  /** How often the expert's action replaces another one in an episode of training. */
  readonly patches: number;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
}

const MAX_REPORTED = 5;
/** The rollouts of a group play the same one. Each holds its pictures. */
const MAX_LOADED = 32;

/** Throws a BoundaryError if no trajectory can be played. */
export function openOffline({ source, patches, health }: OfflineOptions): DesktopProvider {
  const { experts, left } = source;
  for (const { file, why } of left.slice(0, MAX_REPORTED))
    health('trajectories', false, `${file} is left out: ${why}`);
  if (left.length > MAX_REPORTED)
    health('trajectories', false, `${left.length - MAX_REPORTED} more trajectories are left out.`);
  if (experts.length === 0) throw noTrajectories(left[0]);
  const suite = offlineSuite(experts);
  /** The latest last. */
  const loaded = new Map<TaskId, ExpertTrajectory>();
  const read = async (task: TaskId): Promise<ExpertTrajectory> => {
    const found = loaded.get(task) ?? (await load(source, suite.template(task).expert, task));
    loaded.delete(task);
    loaded.set(task, found);
    const [oldest] = loaded.size > MAX_LOADED ? loaded.keys() : [];
    if (oldest !== undefined) loaded.delete(oldest);
    return found;
  };
  return {
    suite,
    make: async id => new OfflineDesktop(id, { read, patches }),
    isScripted: () => true,
    // Its desktop has just loaded it.
    solver: ({ task }) => {
      const rest = (loaded.get(task)?.actions ?? []).values();
      return () => {
        const { value: action } = rest.next();
        if (action !== undefined) return action;
        const message = 'its trajectory has no further action';
        throw new BoundaryError({ boundary: 'task', thing: task, message });
      };
    },
    close: async () => undefined,
  };
}

async function load(source: ExpertSource, expert: ExpertAbout, task: TaskId): Promise<ExpertTrajectory> {
  try {
    return await source.read(expert);
  } catch (error) {
    throw new BoundaryError({ boundary: 'task', thing: task, message: messageOf(error) }, { cause: error });
  }
}

const noTrajectories = (left: ExpertSource['left'][number] | undefined): BoundaryError =>
  new BoundaryError({
    ...{ boundary: 'provider', thing: 'trajectories', isPermanent: true },
    message: `no stored trajectory can be played${left === undefined ? '' : ` (${left.file}: ${left.why})`}. Import successes with their pictures ('dartboard import'), or record some.`,
  });
