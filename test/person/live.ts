// A recording on a pocket desktop with a scripted agent, which acts without pauses.

import { onTestFinished } from 'vitest';
import { eventsOf } from '../../runtime/bench/panels/hand.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import type { Action } from '../../runtime/core/action.ts';
import type { Clock } from '../../runtime/core/clock.ts';
import { seed, taskId } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { stepLimit } from '../../runtime/core/task.ts';
import { POCKET, solutionOf } from '../../runtime/environments/pocket/tasks/suite.ts';
import type { PersonDemonstration } from '../../runtime/person/demonstration.ts';
import { openRecordingDesktop } from '../../runtime/person/open-desktop.ts';
import { Recording } from '../../runtime/person/recording.ts';
import type { RecordingOptions } from '../../runtime/person/recording-options.ts';
import type { PilotMode, RecordingState } from '../../runtime/protocol/daemon/record.ts';
import { playing, ScriptedAgent, type ScriptedTurn } from './scripted-agent.ts';

export const TASK = 'notes-write';
const CONFIG = parseConfig({});

/** Nobody has to watch. */
const quick: Clock = {
  now: () => systemClock.now(),
  sleep: (_, signal) => systemClock.sleep(1, signal),
};

/** The scripted solution with its end. */
export function solution(): readonly Action[] {
  const { actions, ending } = solutionOf(POCKET, POCKET.task(TASK, seed(0)), seed(0));
  const end: Action = ending === 'fail' ? { kind: 'fail', why: '' } : { kind: 'finished', answer: '' };
  return [...actions, end];
}

export interface LiveOptions extends Partial<RecordingOptions> {
  readonly fly?: PilotMode;
  /** No agent acts. */
  readonly isAlone?: boolean;
}

export function live(
  turns: readonly ScriptedTurn[],
  { fly = 'pause', isAlone = false, ...options }: LiveOptions = {},
) {
  const agent = new ScriptedAgent(...turns);
  const player = playing(agent);
  const task = POCKET.task(TASK, seed(0));
  const kept: PersonDemonstration[] = [];
  const recording = new Recording({
    ...{ name: 'r', kind: 'pocket', task, instance: { task: taskId(TASK), seed: seed(0) } },
    ...{ split: 'train', tier: 1, maxSteps: stepLimit(task), mode: CONFIG.mode, who: 'Ada' },
    open: signal =>
      openRecordingDesktop({ config: CONFIG, clock: systemClock, random: seeded('live') }, signal),
    keep: async demonstration => void kept.push(demonstration),
    clock: quick,
    ...(!isAlone && { pilot: { agent: 'scripted', mode: fly, open: async () => player } }),
    ...options,
  });
  onTestFinished(() => recording.close());
  /** Looks until the state fits. */
  const until = async (fits: (state: RecordingState) => boolean) => {
    for (let frame = 0; !fits(recording.state); )
      ({
        result: { frame },
      } = await recording.look(frame, recording.state.change));
    return recording.state;
  };
  let time = 0;
  /** By hand. */
  const act = async (action: Action) => {
    time += 2000;
    for (const event of eventsOf(action)) {
      time += 20;
      await recording.input([{ event, time, frame: 1 }]);
    }
  };
  /** All calls of the desktop have ended. */
  const settled = () => recording.input([{ event: { kind: 'cancel' }, time, frame: 1 }]);
  const proposed = () => until(({ pilot }) => pilot?.proposal !== undefined);
  return { recording, agent, player, kept, until, act, settled, proposed };
}
