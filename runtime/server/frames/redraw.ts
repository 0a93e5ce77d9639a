// The screens of an episode on the pocket desktop, drawn again by performing its actions: N actions make N + 1 of them.

import type { Action } from '../../core/action.ts';
import type { Element } from '../../core/screen.ts';
import type { PocketMachine } from '../../environments/pocket/machine.ts';
import { encodePng } from '../../inference/png.ts';

export interface Picture {
  /** As a PNG. */
  readonly image: Uint8Array<ArrayBuffer>;
  /** From back to front. */
  readonly elements: readonly Element[];
}

/** One after another, so that the first can be shown while the others are made. */
export function* picturesOf(machine: PocketMachine, actions: readonly Action[]): Generator<Picture> {
  yield pictureOf(machine);
  for (const action of actions) {
    machine.perform(action);
    yield pictureOf(machine);
  }
}

function pictureOf(machine: PocketMachine): Picture {
  const { width, height } = machine.size;
  const data = machine.pixels();
  return {
    image: encodePng({ layout: 'rgba', width, height, data }, 'quick'),
    elements: machine.elements(),
  };
}
