// A hand on a live desktop: does actions one after another, each on the newest screen.

import { eventsOf } from '../../runtime/bench/panels/hand.ts';
import type { Action } from '../../runtime/core/action.ts';
import type { Recording } from '../../runtime/person/recording.ts';

/** Between two actions, so that two clicks are no double click. */
const ACTION_MS = 1000;
const EVENT_MS = 20;

/**
 * A person acts on what the screen shows, and a program may need a moment to open: after each action the screen must be still for
 * `stillLooks` looks.
 */
export function handOn(recording: Recording, stillLooks = 0): (actions: readonly Action[]) => Promise<void> {
  const seen = { frame: 0, change: 0 };
  let time = 0;
  const look = async (): Promise<boolean> => {
    const { result } = await recording.look(seen.frame, seen.change);
    const isNew = result.frame !== seen.frame;
    Object.assign(seen, { frame: result.frame, change: result.state.change });
    return isNew;
  };
  return async actions => {
    for (const action of actions) {
      time += ACTION_MS;
      for (const event of eventsOf(action)) {
        if (recording.state.phase !== 'acting') return;
        time += EVENT_MS;
        const acted = recording.input([{ event, time, frame: seen.frame }]);
        await look();
        await acted;
      }
      for (let still = 0; still < stillLooks; ) still = (await look()) ? 0 : still + 1;
    }
  };
}
