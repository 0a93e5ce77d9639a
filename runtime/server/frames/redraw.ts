// Redraws the screens of a pocket desktop episode by replaying its actions: N actions give N + 1 screens. With the calls of the thread
// that does it.

import type { Action } from '../../core/action.ts';
import type { Seed, TaskId } from '../../core/ids.ts';
import type { Element } from '../../core/screen.ts';
import type { PocketMachine } from '../../environments/pocket/machine.ts';
import { encodePng } from '../../inference/png.ts';
import type { JudgedEpisode } from './verdict-reasons.ts';

export interface RedrawnPicture {
  /** As a PNG. */
  readonly image: Uint8Array<ArrayBuffer>;
  /** From back to front. */
  readonly elements: readonly Element[];
}

/** A generator, so that the first picture is shown while the others are drawn. */
export function* picturesOf(machine: PocketMachine, actions: readonly Action[]): Generator<RedrawnPicture> {
  yield pictureOf(machine);
  for (const action of actions) {
    machine.perform(action);
    yield pictureOf(machine);
  }
}

function pictureOf(machine: PocketMachine): RedrawnPicture {
  const { width, height } = machine.size;
  const data = machine.pixels();
  return {
    image: encodePng({ layout: 'rgba', width, height, data }, 'quick'),
    elements: machine.elements(),
  };
}

/** An episode to draw again. */
export interface Drawing {
  readonly task: TaskId;
  readonly seed: Seed;
  readonly actions: readonly Action[];
  /** The folder with the file of the task; undefined for a built-in one. */
  readonly folder: string | undefined;
  /** The verdict, when its reasons are wanted in words. */
  readonly judged: JudgedEpisode | undefined;
}

export type FrameCalls = {
  /** Reports each `RedrawnPicture` as progress, from the start on. Returns the reasons of the verdict. */
  readonly draw: { readonly takes: Drawing; readonly gives: string | undefined };
};
