// Valid values that the generators of hostile inputs start from.

import { deflateSync } from 'node:zlib';
import { seed, taskId, trajectoryId, version } from '../../../../core/ids.ts';
import { pngOf, pngRows } from '../../../../core/png.ts';
import type { Step } from '../../../../core/step.ts';
import type { Trajectory } from '../../../../core/trajectory.ts';
import { IMPORTED_SERVER } from '../../../../formats/steps.ts';

const SIZE = { width: 64, height: 48 };

const pictureOf = (shade: number): Uint8Array =>
  pngOf(
    SIZE,
    deflateSync(
      pngRows({ ...SIZE, layout: 'rgb', data: new Uint8Array(3 * SIZE.width * SIZE.height).fill(shade) }),
    ),
  );

export const SAMPLE_PNG = pictureOf(120);

const chosen = (raw: string): NonNullable<Step['chosen']> => ({
  version: version(0),
  trace: {
    ...{
      kind: 'tokens',
      tokens: [],
      estimator: 'none',
      finish: 'stop',
      raw,
      thought: 'A thought.',
      defects: [],
    },
    served: IMPORTED_SERVER,
  },
});

const STEPS: readonly Step[] = [
  {
    action: { kind: 'click', at: { x: 10, y: 20 } },
    meant: [],
    chosen: chosen("Thought: A thought.\nAction: click(start_box='(10,20)')"),
  },
  {
    action: { kind: 'type', text: 'Letters' },
    meant: [],
    chosen: chosen("Thought: A thought.\nAction: type(content='Letters')"),
  },
  {
    action: { kind: 'finished', answer: '' },
    meant: [],
    chosen: chosen("Thought: A thought.\nAction: finished(content='')"),
  },
];

export const SAMPLE_PICTURES: readonly Uint8Array[] = [1, 2, 3, 4].map(shade => pictureOf(40 * shade));

export const SAMPLE_TRAJECTORY: Trajectory = {
  id: trajectoryId('sample-1'),
  instance: { task: taskId('notes-rename'), seed: seed(3) },
  ...{ instruction: 'Write Letters.', purpose: 'collect', mode: 'screenshot', maxSteps: 10 },
  provenance: { kind: 'rollout' },
  steps: STEPS,
  frames: { kind: 'png', images: SAMPLE_PICTURES },
  outcome: { kind: 'judged', ending: 'finished', verdict: { score: 1, why: 'The note has the text.' } },
  ...{ startedAt: 1_760_000_000_000, endedAt: 1_760_000_060_000 },
};
