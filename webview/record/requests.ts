// The requests that start a recording, and those of its buttons.

import type { RecordingState } from '../../runtime/protocol/daemon/record.ts';
import type { DesktopKind } from '../../runtime/protocol/desktop-kinds.ts';
import type { DaemonLink } from '../shared/link/link.ts';
import type { ChosenRecording, RecordCommand } from './state.ts';

interface StartDetails {
  readonly kind: DesktopKind | undefined;
  readonly who: string;
  /** The run whose weights the built-in agent uses. */
  readonly weights: string | undefined;
}

/** Undefined for a choice of neither a task nor an agent: nothing starts. */
export async function startRecording(
  link: DaemonLink,
  { task, agent, instruction }: ChosenRecording,
  { kind, who, weights }: StartDetails,
): Promise<RecordingState | undefined> {
  const about = {
    ...(kind !== undefined && { kind }),
    ...(instruction !== undefined && { instruction }),
    who,
  };
  if (agent !== undefined) {
    const from = weights === undefined ? {} : { from: weights };
    const asked = { ...about, ...from, agent, mode: 'run', ...(task !== undefined && { task }) } as const;
    return link.request('record.run', asked);
  }
  return task === undefined ? undefined : link.request('record.start', { ...about, task });
}

/** `dropped`: the numbers of the steps that are not saved. */
export function sendCommand(
  link: DaemonLink,
  command: Exclude<RecordCommand, 'choose' | 'another'>,
  recording: string,
  dropped: readonly number[],
): Promise<RecordingState> {
  switch (command) {
    case 'finish':
      return link.request('record.finish', { recording, ending: 'finished' });
    case 'give-up':
      return link.request('record.finish', { recording, ending: 'fail' });
    case 'done':
      return link.request('record.finish', { recording, ending: 'finished', isDone: true });
    case 'solution':
      return link.request('record.solution', { recording });
    case 'restart':
      return link.request('record.restart', { recording });
    case 'save':
      return link.request('record.save', { recording, drop: [...dropped] });
    case 'discard':
      return link.request('record.discard', { recording });
  }
}
