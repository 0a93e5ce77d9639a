// What the status bar says: the state of the training and its success, and whether it goes on without a window. Pure.

import type { DaemonLife } from '../../runtime/protocol/daemon/messages.ts';
import type { State } from '../daemon/lifecycle.ts';
import { type Known, liveRun, type Run } from '../runs/known.ts';
import { percent, span, statusWord, successOf, type Translate } from '../words.ts';

export interface Status {
  /** With VS Code's icons between '$(' and ')'. */
  readonly text: string;
  /** Lines of the tooltip. */
  readonly says: readonly string[];
  readonly isWrong: boolean;
}

/** Undefined where there is nothing to say. */
export function statusOf(
  state: State,
  known: Known,
  life: DaemonLife | undefined,
  t: Translate,
): Status | undefined {
  switch (state.kind) {
    case 'away':
    case 'looking':
      return undefined;
    case 'starting':
    case 'connecting':
      return { text: '$(loading~spin) Dartboard', says: [t('Dartboard is starting.')], isWrong: false };
    case 'waiting':
      return {
        text: '$(debug-disconnect) Dartboard',
        says: [state.why, t('It is tried again by itself.')],
        isWrong: true,
      };
    case 'failed':
      return {
        text: '$(error) Dartboard',
        says: [state.why, t('Click to see the log; any command tries again.')],
        isWrong: true,
      };
    case 'connected': {
      const keeps = life?.keepTraining === true;
      const pin = keeps ? ' $(pinned)' : '';
      const run = liveRun(known);
      if (run === undefined) {
        const says = [t('Nothing is training.'), ...(life === undefined ? [] : [life.says])];
        return { text: `$(target) Dartboard${pin}`, says, isWrong: false };
      }
      const says = [
        ...saysOf(run, t),
        keeps ? t('It goes on training when the last window is closed.') : t(NOT_KEPT),
      ];
      return { text: `${ICONS[run.status]} ${brief(run, t)}${pin}`, says, isWrong: false };
    }
  }
}

const NOT_KEPT = 'When the last window is closed it ends with a checkpoint, after 30 s.';

const ICONS: Readonly<Record<Run['status'], string>> = {
  starting: '$(loading~spin)',
  running: '$(sync~spin)',
  paused: '$(debug-pause)',
  stopping: '$(loading~spin)',
  ended: '$(target)',
  failed: '$(error)',
};

function brief({ status, seconds, of, last }: Run, t: Translate): string {
  const success = last === undefined ? '' : `${percent(last.rate)} `;
  if (status !== 'running') return `${success}${statusWord(status, t)}`;
  return `${success}${span(seconds)}/${span(of)}`;
}

function saysOf({ run, status, seconds, of, last, message, waiting }: Run, t: Translate): readonly string[] {
  return [
    t('{0}: {1}, {2} of {3} trained', run, statusWord(status, t), span(seconds), span(of)),
    ...(last === undefined ? [t('Not measured yet.')] : [successOf(last, t)]),
    ...(message === undefined ? [] : [message]),
    ...waiting.map(({ module, reason }) => t('{0} waits for {1}', module, reason)),
  ];
}
