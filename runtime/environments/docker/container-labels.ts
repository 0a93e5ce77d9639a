// The labels that name the owner of a container, and the removal of containers whose owner has ended.
//
// A run never adopts a container: nobody knows what was done in it, and a new one takes half a second.

import { messageOf } from '../../core/errors.ts';
import { type LocalProcess, type ProcessIdentity, processStatus } from '../../core/process-identity.ts';
import { LABEL } from './container-spec.ts';
import type { DockerHost, FoundContainer } from './host.ts';

export const ownerLabels = (
  run: string,
  fleet: string,
  { place, boot, pid, began }: ProcessIdentity,
): Readonly<Record<string, string>> => ({
  [LABEL]: '1',
  [`${LABEL}.owner`]: run,
  // One process can own several fleets.
  [`${LABEL}.fleet`]: fleet,
  [`${LABEL}.place`]: place,
  [`${LABEL}.boot`]: boot,
  [`${LABEL}.pid`]: String(pid),
  [`${LABEL}.began`]: began,
});

export const labelOf = ({ labels }: Pick<FoundContainer, 'labels'>, name: string): string | undefined =>
  labels[`${LABEL}.${name}`];

/** True if the owner process is known to have ended. Only the machine on which it ran can know. */
export function isLeftover(container: Pick<FoundContainer, 'labels'>, me: LocalProcess): boolean {
  const [place, boot, began = ''] = ['place', 'boot', 'began'].map(name => labelOf(container, name));
  const pid = Number(labelOf(container, 'pid'));
  if (place === undefined || boot === undefined || !Number.isSafeInteger(pid) || pid < 1) return false;
  return processStatus({ pid, place, boot, began }, me) === 'ended';
}

export interface RemovalResult {
  /** The runs that the removed containers belonged to; one entry per container. */
  readonly removed: readonly string[];
  /** Why one of the others could not be removed. */
  readonly error: unknown;
}

/** Removes containers. Never rejects. */
export async function removeAll(
  host: Pick<DockerHost, 'remove'>,
  containers: readonly FoundContainer[],
): Promise<RemovalResult> {
  const results = await Promise.allSettled(containers.map(({ id }) => host.remove(id)));
  const removed = containers.filter((_, index) => results[index]?.status === 'fulfilled');
  const failed = results.find(result => result.status === 'rejected');
  return { removed: removed.map(one => labelOf(one, 'owner') ?? 'unknown'), error: failed?.reason };
}

/** 'removed 14 containers that an ended process of run a, b left behind'. */
export function removedText(runs: readonly string[]): string {
  return `removed ${countText(runs.length)} that an ended process of run ${[...new Set(runs)].sort().join(', ')} left behind`;
}

export interface ContainerUse {
  readonly run: string;
  /** The owner process. */
  readonly pid: number;
  readonly containers: number;
}

export interface Leftovers extends RemovalResult {
  /** Containers whose owner is alive, or runs on another machine. */
  readonly inUse: readonly ContainerUse[];
}

/** For a report: what was removed, what could not be removed, and who uses the others. */
export function leftoversText({ removed, error, inUse }: Leftovers): readonly string[] {
  return [
    ...(removed.length > 0 ? [removedText(removed)] : []),
    ...(error === undefined ? [] : [`could not remove leftover containers: ${messageOf(error)}`]),
    ...inUse.map(({ run, pid, containers }) => `process ${pid} of run ${run} uses ${countText(containers)}`),
  ];
}

const countText = (containers: number): string => `${containers} container${containers === 1 ? '' : 's'}`;

/** Removes the containers on a host whose owner has ended, and counts the others by owner. */
export async function removeLeftovers(
  host: Pick<DockerHost, 'list' | 'remove'>,
  me: LocalProcess,
): Promise<Leftovers> {
  const found = await host.list({ [LABEL]: '1' });
  const inUse = new Map<string, ContainerUse>();
  for (const one of found.filter(each => !isLeftover(each, me))) {
    const [run, pid] = [labelOf(one, 'owner') ?? 'unknown', Number(labelOf(one, 'pid'))];
    const containers = (inUse.get(`${pid} ${run}`)?.containers ?? 0) + 1;
    inUse.set(`${pid} ${run}`, { run, pid, containers });
  }
  const leftovers = found.filter(each => isLeftover(each, me));
  return { ...(await removeAll(host, leftovers)), inUse: [...inUse.values()] };
}
