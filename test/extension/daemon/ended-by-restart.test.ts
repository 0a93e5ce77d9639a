// The work that a restart of the daemon would end.

import { expect, test } from 'vitest';
import { endedByRestart } from '../../../extension/daemon/ended-by-restart.ts';
import type { CollectionState } from '../../../runtime/protocol/daemon/collection.ts';
import type { RecordingState } from '../../../runtime/protocol/daemon/record.ts';

const RECORDING: RecordingState = {
  ...{
    recording: 'r',
    change: 1,
    phase: 'acting',
    kind: 'pocket',
    task: 'notes-write',
    seed: 0,
    split: 'train',
  },
  ...{ tier: 1, instruction: 'Write.', isOwn: false, maxSteps: 6, hasSolution: true, isDeterministic: true },
  steps: [{ action: { kind: 'wait' }, says: 'wait' }],
};
const COLLECTION: CollectionState = {
  ...{
    collection: 'c',
    change: 1,
    status: 'playing',
    told: "Agent 'reader'",
    instances: 1,
    tasks: 2,
    tries: 8,
  },
  ...{ accepts: false, rows: [], members: {} },
};

test('nothing is lost without a recording and a collection', () => {
  expect(endedByRestart({}, {})).toBeUndefined();
});

test('an unsaved recording and a collection that plays are named', () => {
  const text = endedByRestart({ recording: RECORDING }, { collecting: COLLECTION });
  expect(text).toContain('The recording of notes-write is not saved');
  expect(text).toContain("Agent 'reader' would end");
});

test('a saved, a discarded and an empty recording lose nothing, and neither does an ended collection', () => {
  for (const recording of [
    { ...RECORDING, phase: 'saved' as const },
    { ...RECORDING, phase: 'discarded' as const },
    { ...RECORDING, steps: [] },
  ])
    expect(endedByRestart({ recording }, { collecting: { ...COLLECTION, status: 'ended' } })).toBeUndefined();
});
