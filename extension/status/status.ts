// The content of the status bar item: state, success rate and time of the training, and its pin. Pure.

import type { DaemonLife } from '../../runtime/protocol/daemon/messages.ts';
import type { ClientState } from '../daemon/lifecycle.ts';
import { duration, percent, STATUS_LABELS, successRate } from '../format.ts';
import { type ListedRun, liveRun, type RunOverview } from '../runs/run-list.ts';

export interface StatusBarContent {
  /** With VS Code's icons between '$(' and ')'. */
  readonly text: string;
  /** Lines. */
  readonly tooltip: readonly string[];
  readonly isWarning: boolean;
}

/** Undefined hides the item. */
export function statusOf(
  state: ClientState,
  list: RunOverview,
  life: DaemonLife | undefined,
): StatusBarContent | undefined {
  switch (state.kind) {
    case 'idle':
    case 'searching':
      return undefined;
    case 'starting':
    case 'connecting':
      return content('$(loading~spin) Dartboard', ['The Dartboard daemon is starting.']);
    case 'backoff':
      return warning('$(debug-disconnect) Dartboard', [state.reason, 'Dartboard reconnects automatically.']);
    case 'failed':
      return warning('$(error) Dartboard', [
        state.reason,
        'Click to show the log. Any Dartboard command tries again.',
      ]);
    case 'connected':
      return connectedContent(list, life);
  }
}

export const content = (text: string, tooltip: readonly string[]): StatusBarContent => ({
  text,
  tooltip,
  isWarning: false,
});

export const warning = (text: string, tooltip: readonly string[]): StatusBarContent => ({
  text,
  tooltip,
  isWarning: true,
});

function connectedContent(list: RunOverview, life: DaemonLife | undefined): StatusBarContent {
  const keepsTraining = life?.keepTraining === true;
  const pin = keepsTraining ? ' $(pinned)' : '';
  const run = liveRun(list);
  if (run === undefined) {
    const tooltip = ['No run is training.', ...(life === undefined ? [] : [life.says])];
    return content(`$(target) Dartboard${pin}`, tooltip);
  }
  return content(`${ICONS[run.status]} ${summary(run)}${pin}`, [
    ...details(run),
    keepsTraining ? KEEPS_TRAINING : STOPS_TRAINING,
  ]);
}

const KEEPS_TRAINING = 'Training continues after the last window closes.';
const STOPS_TRAINING = 'Training stops with a checkpoint 30 s after the last window closes.';

const ICONS: Readonly<Record<ListedRun['status'], string>> = {
  starting: '$(loading~spin)',
  running: '$(sync~spin)',
  paused: '$(debug-pause)',
  stopping: '$(loading~spin)',
  ended: '$(target)',
  failed: '$(error)',
};

function summary({ status, seconds, of, last }: ListedRun): string {
  const rate = last === undefined ? '' : `${percent(last.rate)} `;
  return rate + (status === 'running' ? `${duration(seconds)}/${duration(of)}` : STATUS_LABELS[status]);
}

const details = ({ run, status, seconds, of, last, message, waiting }: ListedRun): readonly string[] => [
  `${run}: ${STATUS_LABELS[status]}, ${duration(seconds)} of ${duration(of)} trained`,
  last === undefined ? 'Not evaluated yet.' : successRate(last),
  ...(message === undefined ? [] : [message]),
  ...waiting.map(({ module, reason }) => `${module} waits for ${reason}`),
];
