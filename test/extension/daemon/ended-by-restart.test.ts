// The work that a restart of the daemon would end.

import { expect, test } from 'vitest';
import { endedByRestart } from '../../../extension/daemon/ended-by-restart.ts';
import type { PresortState } from '../../../runtime/protocol/daemon/annotation.ts';
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

const PRESORT: PresortState = {
  ...{ presort: 'p', change: 1, status: 'asking', agent: 'judge', total: 9, suggested: 2, doubted: 1 },
  ...{ unreadable: 0, failed: 0, tokens: 800 },
};

test('nothing is lost without a recording, a collection and a pre-sort', () => {
  expect(endedByRestart({}, {}, {})).toBeUndefined();
});

test('an unsaved recording, a collection that plays and a pre-sort are named', () => {
  const text = endedByRestart({ recording: RECORDING }, { collecting: COLLECTION }, { presort: PRESORT });
  expect(text).toContain('The recording of notes-write is not saved');
  expect(text).toContain("Agent 'reader' would end");
  expect(text).toContain("The pre-sort with 'judge' would end");
});

test('a saved, a discarded and an empty recording lose nothing, and neither does ended work', () => {
  const collecting: CollectionState = { ...COLLECTION, status: 'ended' };
  const presort: PresortState = { ...PRESORT, status: 'ended' };
  for (const recording of [
    { ...RECORDING, phase: 'saved' as const },
    { ...RECORDING, phase: 'discarded' as const },
    { ...RECORDING, steps: [] },
  ])
    expect(endedByRestart({ recording }, { collecting }, { presort })).toBeUndefined();
});
