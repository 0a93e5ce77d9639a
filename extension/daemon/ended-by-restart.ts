// The work of people that a restart of the daemon would end. Trainings are resumed, so they are not part of it. Pure.

import { isPresortRunning } from '../../runtime/protocol/daemon/annotation.ts';
import type { DaemonResults } from '../../runtime/protocol/daemon/messages.ts';
import { progressText } from '../collect/questions.ts';

/** For a question to the user. Undefined if nothing would be lost. */
export function endedByRestart(
  { recording }: DaemonResults['record.now'],
  { collecting }: DaemonResults['collect.now'],
  { presort }: Pick<DaemonResults['presort.now'], 'presort'>,
): string | undefined {
  const isUnsaved =
    recording !== undefined &&
    !['saved', 'discarded'].includes(recording.phase) &&
    recording.steps.length > 0;
  const ended = [
    ...(isUnsaved ? [`The recording of ${recording.task} is not saved; its steps would be lost.`] : []),
    ...(collecting?.status === 'playing'
      ? [`${collecting.told} would end (${progressText(collecting)}). Its finished episodes stay stored.`]
      : []),
    ...(presort !== undefined && isPresortRunning(presort)
      ? [`The pre-sort with '${presort.agent}' would end. Its suggestions so far stay.`]
      : []),
  ];
  return ended.length === 0 ? undefined : ended.join(' ');
}
