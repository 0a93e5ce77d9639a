// Records demonstrations of scripted tasks on real desktops of one kind, with the events of a hand.

import type { Config } from '../../runtime/config/config.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { isInfeasible, stepLimit } from '../../runtime/core/task.ts';
import type { PersonDemonstration } from '../../runtime/person/demonstration.ts';
import { openRecordingDesktop } from '../../runtime/person/open-desktop.ts';
import { Recording } from '../../runtime/person/recording.ts';
import type { RecordingDesktop } from '../../runtime/person/recording-options.ts';
import type { RecordingState } from '../../runtime/protocol/daemon/record.ts';
import { openSuite } from '../../runtime/run/suite.ts';
import { handOn } from './hand-on.ts';

export interface RecordedByHand extends Pick<RecordingState, 'phase' | 'problem' | 'task' | 'note'> {
  readonly kept: PersonDemonstration | undefined;
}

/** Tasks without a script are left out. `stillLooks`: see `handOn`. */
export async function recordedByHand(
  config: Config,
  count: number,
  onEnd: (end: () => Promise<void>) => void,
  stillLooks = 0,
): Promise<readonly RecordedByHand[]> {
  const { kind } = config.environments;
  const suite = await openSuite(config);
  const random = seeded('by hand');
  // One browser or engine for all.
  const shared = await openRecordingDesktop(
    { config, clock: systemClock, random },
    new AbortController().signal,
  );
  onEnd(() => shared.close());
  const made: RecordedByHand[] = [];
  for (const id of suite.tasks('train')) {
    if (made.length === count) break;
    const instance = { task: id, seed: suite.seed('train', 0) };
    const task = suite.task(id, instance.seed);
    if (isInfeasible(task)) continue;
    const actions = await shared.solution?.(instance, new AbortController().signal);
    if (actions === undefined) continue;
    let kept: PersonDemonstration | undefined;
    const opened: RecordingDesktop = { ...shared, close: async () => undefined };
    const recording = new Recording({
      ...{ name: 'r', kind, task, instance, split: 'train', tier: 1, maxSteps: stepLimit(task) },
      ...{ mode: config.mode, who: 'Ada', open: async () => opened, clock: systemClock },
      keep: async demonstration => {
        kept = demonstration;
      },
    });
    const until = async (isEnd: (phase: RecordingState['phase']) => boolean) => {
      for (let [frame, change] = [0, 0]; !isEnd(recording.state.phase); ) {
        const { result } = await recording.look(frame, change);
        [frame, change] = [result.frame, result.state.change];
      }
    };
    await until(phase => phase !== 'opening');
    await handOn(recording, stillLooks)(actions);
    const last = actions.at(-1);
    if (recording.state.phase === 'acting')
      await recording.finish(last?.kind === 'fail' ? 'fail' : 'finished', undefined);
    if (recording.state.judgement?.success === true) await recording.save([]);
    await until(phase => phase !== 'checking');
    const { phase, problem, note } = recording.state;
    made.push({ phase, task: id, kept, ...(problem && { problem }), ...(note && { note }) });
    await recording.close();
  }
  return made;
}
