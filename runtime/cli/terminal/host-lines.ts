// One line for each joined host that joins, leaves or is lost between two states of a run. Pure.

import type { HostState } from '../../protocol/daemon/hosts.ts';
import { isOver, type RunState } from '../../protocol/daemon/state.ts';
import { plural } from '../../run/number-format.ts';

/** The host on the machine of the daemon has no lines: its end is reported as a problem. */
export function hostLines(
  before: Pick<RunState, 'hosts'> | undefined,
  now: Pick<RunState, 'hosts' | 'status'>,
): readonly string[] {
  // All hosts leave a run that is over.
  if (isOver(now)) return [];
  const [old, current] = [joinedIn(before), joinedIn(now)];
  const gone = [...old.values()].flatMap(host => {
    const isStaying = current.get(host.name)?.sinceMs === host.sinceMs;
    return isStaying || host.status === 'lost' ? [] : [`host ${host.name} left, with ${desktops(host)}`];
  });
  return [...gone, ...[...current.values()].flatMap(host => change(old.get(host.name), host))];
}

function change(before: HostState | undefined, host: HostState): readonly string[] {
  const isNew = before?.sinceMs !== host.sinceMs;
  if (host.status === 'lost')
    return !isNew && before?.status === 'lost'
      ? []
      : [`host ${host.name} is lost, with ${desktops(host)}: it sends no reports`];
  if (isNew) return [`host ${host.name} joined, with ${desktops(host)}`];
  return before.status === 'lost' ? [`host ${host.name} is back, with ${desktops(host)}`] : [];
}

const joinedIn = (state: Pick<RunState, 'hosts'> | undefined): ReadonlyMap<string, HostState> =>
  new Map((state?.hosts ?? []).filter(({ isLocal }) => !isLocal).map(host => [host.name, host]));

const desktops = ({ desktops: number }: HostState): string => plural(number, 'desktop');
