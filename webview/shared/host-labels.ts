// Labels of the hosts of a run, and which of them can be drained. Pure.

import type { HostState } from '../../runtime/protocol/daemon/hosts.ts';
import { formatDuration, formatPercent, plural } from './labels.ts';

export const HOST_LABELS: Readonly<Record<HostState['status'], string>> = {
  playing: 'Playing',
  draining: 'Draining',
  lost: 'Lost',
};

export const HOST_TITLES: Readonly<Record<HostState['status'], string>> = {
  playing: 'Takes orders and plays them',
  draining: 'Takes no new order, finishes its episodes, and leaves',
  lost: 'Sends nothing any more. Its orders return to the queue when their leases end',
};

/** The machine of the daemon stays: it also plays the evaluations. */
export const canDrain = ({ isLocal, status }: Pick<HostState, 'isLocal' | 'status'>): boolean =>
  !isLocal && status === 'playing';

/** '45.9', '0.5': one decimal, none from 100. */
const rateLabel = (perS: number): string => (perS < 100 ? perS.toFixed(1) : perS.toFixed(0));

/** '0.8 ms', '12 ms', '1.2 s'. */
const timeLabel = (ms: number): string => (ms > 0 && ms < 9.95 ? `${ms.toFixed(1)} ms` : formatDuration(ms));

const clockLabel = (ms: number): string =>
  Math.abs(ms) < 0.5 ? '0 ms' : `${ms < 0 ? '−' : '+'}${formatDuration(Math.abs(ms))}`;

interface HostCells {
  readonly desktops: string;
  readonly workers: string;
  readonly rate: string;
  /** Of the steps of all hosts. */
  readonly share: string;
  readonly latency: string;
  readonly clock: string;
}

const UNKNOWN = '–';

/** Unknown values are dashes. A lost host plays nothing. */
export function hostCells(host: HostState, all: readonly HostState[]): HostCells {
  const { status, desktops, playing, workers, stepsPerS, latencyMs, clockOffsetMs } = host;
  const sum = all.reduce((total, each) => total + (each.status === 'lost' ? 0 : each.stepsPerS), 0);
  const isLost = status === 'lost';
  return {
    desktops: isLost ? UNKNOWN : `${playing} of ${desktops}`,
    workers: isLost ? UNKNOWN : String(workers),
    rate: isLost ? UNKNOWN : rateLabel(stepsPerS),
    share: isLost || sum === 0 ? '' : formatPercent(stepsPerS / sum),
    latency: isLost || latencyMs === undefined ? UNKNOWN : timeLabel(latencyMs),
    clock: isLost || clockOffsetMs === undefined ? UNKNOWN : clockLabel(clockOffsetMs),
  };
}

/** '5 of 8 desktops play, 2 workers, 12.3 steps/s, latency 0.8 ms, clock +12 ms'; '' for a lost host. */
export function hostLine(host: HostState, all: readonly HostState[]): string {
  const { desktops, rate, latency, clock } = hostCells(host, all);
  if (host.status === 'lost') return '';
  return [
    ...[`${desktops} desktops play`, plural(host.workers, 'worker'), `${rate} steps/s`],
    ...(latency === UNKNOWN ? [] : [`latency ${latency}`]),
    ...(clock === UNKNOWN ? [] : [`clock ${clock}`]),
  ].join(', ');
}

/** The version of the daemon if the host has another one. */
export const otherVersion = (host: HostState, all: readonly HostState[]): string | undefined =>
  all.find(({ isLocal, version }) => isLocal && version !== host.version)?.version;

/** 'Dartboard 0.9.1, but the daemon has 0.9.2'. */
export function versionLabel(host: HostState, all: readonly HostState[]): string {
  const other = otherVersion(host, all);
  return `Dartboard ${host.version}${other === undefined ? '' : `, but the daemon has ${other}`}`;
}

/** '3 hosts, 14 of 18 desktops play'. */
export function hostsSummary(all: readonly HostState[]): string {
  const present = all.filter(({ status }) => status !== 'lost');
  const sum = (of: (host: HostState) => number) => present.reduce((total, host) => total + of(host), 0);
  return `${plural(present.length, 'host')}, ${sum(({ playing }) => playing)} of ${sum(({ desktops }) => desktops)} desktops play`;
}

/** The command that makes a machine a host of the run. Quotes keep shells from reading the address. */
export const joinCommand = (address: string): string => `npx dartboard join "${address}"`;
