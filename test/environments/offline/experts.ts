// Stored trajectories for tests: the screen before action n is plain, and its colour is n.

import { deflateSync } from 'node:zlib';
import type { Action } from '../../../runtime/core/action.ts';
import { trajectoryId } from '../../../runtime/core/ids.ts';
import { pngOf, pngRows } from '../../../runtime/core/png.ts';
import type { Screen } from '../../../runtime/core/screen.ts';
import type { ExpertAbout, ExpertSource } from '../../../runtime/environments/offline/expert-trajectory.ts';

export const SIZE = { width: 100, height: 50 };

export const png = (colour: number): Uint8Array => {
  const data = new Uint8Array(3 * SIZE.width * SIZE.height).fill(colour);
  return pngOf(SIZE, deflateSync(pngRows({ ...SIZE, layout: 'rgb', data })));
};

/** The number of a plain screen. */
export const shown = ({ pixels }: Screen): number | undefined => pixels.data[0];

export const expert = (id: string, actions: readonly Action[]): ExpertAbout => ({
  ...{ id: trajectoryId(id), task: `task of ${id}`, instruction: `Do ${id}.` },
  ...{ steps: actions.length, file: `/stored/${id}.zip` },
});

/** A source with these trajectories. `lastScreen`: also the screen after the last action. */
export function sourceOf(
  each: Readonly<Record<string, readonly Action[]>>,
  { lastScreen = true, left = [] as ExpertSource['left'] } = {},
): ExpertSource {
  return {
    experts: Object.entries(each).map(([id, actions]) => expert(id, actions)),
    left,
    read: async ({ id }) => {
      const actions = each[id] ?? [];
      const count = actions.length + Number(lastScreen);
      return { actions, screens: Array.from({ length: count }, (_, index) => png(index)) };
    },
  };
}
