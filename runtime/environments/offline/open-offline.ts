// Opens the desktops of a run that play stored trajectories.

import { messageOf } from '../../core/errors.ts';
import { BoundaryError } from '../../core/failure.ts';
import type { TaskId } from '../../core/ids.ts';
import { sum } from '../../core/sum.ts';
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
/** Of the loaded trajectories. Their desktops keep those that they play. */
const MAX_PICTURE_BYTES = 1 << 28;

/** Throws a BoundaryError if no trajectory can be played. */
export function openOffline({ source, patches, health }: OfflineOptions): DesktopProvider {
  const { experts, left } = source;
  for (const { file, why } of left.slice(0, MAX_REPORTED))
    health('trajectories', false, `${file} is left out: ${why}`);
  if (left.length > MAX_REPORTED)
    health('trajectories', false, `${left.length - MAX_REPORTED} more trajectories are left out.`);
  if (experts.length === 0)
    throw new BoundaryError({
      ...{ boundary: 'provider', thing: 'trajectories', isPermanent: true },
      message: whyNone(source),
    });
  const suite = offlineSuite(experts);
  /** The latest last. */
  const loaded = new Map<TaskId, ExpertTrajectory>();
  const loading = new Map<TaskId, Promise<ExpertTrajectory>>();
  const read = async (task: TaskId): Promise<ExpertTrajectory> => {
    // The rollouts of a group begin together.
    const found = loaded.get(task) ?? loading.get(task) ?? load(source, suite.template(task).expert, task);
    if (found instanceof Promise) loading.set(task, found);
    try {
      const expert = await found;
      loaded.delete(task);
      loaded.set(task, expert);
      return expert;
    } finally {
      loading.delete(task);
      forgetOldest(loaded);
    }
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

function forgetOldest(loaded: Map<TaskId, ExpertTrajectory>): void {
  let bytes = 0;
  // The latest one stays, whatever its size.
  for (const [age, [task, { screens }]] of [...loaded].reverse().entries()) {
    bytes += sum(screens.map(({ length }) => length));
    if (age > 0 && bytes > MAX_PICTURE_BYTES) loaded.delete(task);
  }
}

async function load(source: ExpertSource, expert: ExpertAbout, task: TaskId): Promise<ExpertTrajectory> {
  try {
    return await source.read(expert);
  } catch (error) {
    throw new BoundaryError({ boundary: 'task', thing: task, message: messageOf(error) }, { cause: error });
  }
}

/** The reason why a source has no trajectories to play, and the remedy. */
export const whyNone = ({ left: [first] }: Pick<ExpertSource, 'left'>): string =>
  `No stored trajectory can be played.${first === undefined ? '' : ` ${first.file} is left out: ${first.why}`} Import successes with their pictures ('dartboard import'), or record some.`;
