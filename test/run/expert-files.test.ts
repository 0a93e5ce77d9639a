// The stored trajectories of a folder that offline desktops can play, and why others are left out.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Action } from '../../runtime/core/action.ts';
import { taskId } from '../../runtime/core/ids.ts';
import { decodePng } from '../../runtime/core/png-reader.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import { markOf, type Remark } from '../../runtime/data/files/marks.ts';
import { placeOf } from '../../runtime/data/files/places.ts';
import { encodeTrajectory } from '../../runtime/data/files/trajectory-file.ts';
import { offlineSuite } from '../../runtime/environments/offline/suite.ts';
import { expertsIn } from '../../runtime/run/expert-files.ts';
import { BROKEN, folder, judged, trajectory } from '../data/trajectories.ts';
import { png, shown } from '../environments/offline/experts.ts';

const click = (x: number): Action => ({ kind: 'click', at: { x, y: 10 } });
const ACTIONS = [click(10), click(20), click(30)];

const shownBy = (image: Uint8Array) => shown({ pixels: decodePng(image, 10_000) });

const stored = (id: string, changes: Partial<Trajectory> = {}): Trajectory => {
  const { steps: actions = ACTIONS.map(action => ({ action, meant: [] })), ...others } = changes;
  const { run: _, group: __, ...imported } = trajectory(id);
  return {
    ...imported,
    ...{ instruction: `Do ${id}.`, steps: actions, provenance: { kind: 'imported', from: 'a file' } },
    frames: { kind: 'png', images: [...actions, undefined].map((_, index) => png(index)) },
    ...others,
  };
};

/** The folder of trajectories of a workspace with these, and with these marks. */
function workspace(each: readonly Trajectory[], marks: readonly (readonly [Trajectory, Remark])[] = []) {
  const runs = folder();
  for (const one of each) {
    const path = join(runs, placeOf(one.id, undefined));
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, encodeTrajectory(one).bytes);
  }
  const lines = marks.map(([{ id }, remark]) => `${JSON.stringify(markOf(remark, id, 'Ada', 1))}\n`);
  writeFileSync(join(runs, 'labels.jsonl'), lines.join(''));
  return join(runs, '_', 'trajectories');
}

test('successes with their pictures are played, with actions and screens', async () => {
  const one = stored('one', { instance: { task: taskId('open-mail'), seed: trajectory('x').instance.seed } });
  const { experts, left, read } = await expertsIn(workspace([one]));
  expect(left).toEqual([]);
  expect(experts).toMatchObject([{ id: 'one', task: 'open-mail', instruction: 'Do one.', steps: 3 }]);
  const [about] = experts;
  if (about === undefined) throw new Error('one expert expected');
  const { actions, screens } = await read(about);
  expect(actions).toEqual(ACTIONS);
  expect(screens.map(shownBy)).toEqual([0, 1, 2, 3]);
});

describe('a trajectory is left out', () => {
  const cases: readonly (readonly [string, Partial<Trajectory>, RegExp])[] = [
    ['without success', { outcome: judged(0.5) }, /no success.*set a verdict by hand/],
    ['without a score', { outcome: BROKEN }, /no score.*set a verdict by hand/],
    ['of an evaluation', { purpose: 'evaluate' }, /must not be used for training/],
    [
      'whose pictures are redrawn',
      { frames: { kind: 'redrawn', renderer: 'pocket-1' } },
      /pictures are not stored/,
    ],
    ['without an instruction', { instruction: ' ' }, /no instruction.*Annotate/],
    [
      'with an action that nobody can perform',
      { steps: [click(1), { kind: 'none', why: '' } as const].map(action => ({ action, meant: [] })) },
      /^Step 2 has no action/,
    ],
    [
      'with a missing picture',
      { frames: { kind: 'png', images: [png(0), new Uint8Array(), png(2), png(3)] } },
      /^The picture before step 2 is missing/,
    ],
  ];
  test.each(cases)('%s', async (_, changes, why) => {
    const { experts, left } = await expertsIn(workspace([stored('one', changes)]));
    expect(experts).toEqual([]);
    expect(left).toEqual([{ file: expect.stringMatching(/one\.zip$/), why: expect.stringMatching(why) }]);
  });

  test('when its file is damaged, and the others are played', async () => {
    const path = workspace([stored('one')]);
    writeFileSync(join(path, 'damaged.zip'), 'no archive');
    const { experts, left } = await expertsIn(path);
    expect(experts.map(({ id }) => id)).toEqual(['one']);
    expect(left).toEqual([
      {
        file: join(path, 'damaged.zip'),
        why: expect.stringMatching(/^The trajectory file is truncated\. Restore it/),
      },
    ]);
  });
});

test('the last picture may be missing: nothing is decided on it', async () => {
  const images = [png(0), png(1), png(2), new Uint8Array()];
  const { experts } = await expertsIn(workspace([stored('one', { frames: { kind: 'png', images } })]));
  expect(experts).toHaveLength(1);
});

test('demonstrations of stored trajectories are neither played again nor reported, other scripted ones are played', async () => {
  const scripted = { purpose: 'demonstrate', provenance: { kind: 'oracle' } } as const;
  const first = workspace([stored('one'), stored('two', scripted)]);
  const { experts } = await expertsIn(first);
  expect(experts.map(({ id }) => id)).toEqual(['one', 'two']);
  const [task = ''] = offlineSuite(experts).templates.map(({ id }) => id);
  const copy = stored('copy', {
    ...scripted,
    instance: { task: taskId(task), seed: trajectory('x').instance.seed },
  });
  const { experts: again, left } = await expertsIn(workspace([stored('one'), copy]));
  expect(again.map(({ id }) => id)).toEqual(['one']);
  expect(left).toEqual([]);
});

describe('a person', () => {
  test.each([
    ['the trajectories of a run', (path: string) => path],
    ['a run', dirname],
    ['all runs', (path: string) => dirname(dirname(path))],
  ])('decides by a verdict, with the folder of %s', async (_, folderOf) => {
    const [failed, solved] = [stored('failed', { outcome: BROKEN }), stored('solved')];
    const path = workspace(
      [failed, solved],
      [
        [failed, { kind: 'verdict', success: true }],
        [solved, { kind: 'verdict', success: false }],
      ],
    );
    expect((await expertsIn(folderOf(path))).experts.map(({ id }) => id)).toEqual(['failed']);
  });

  test('corrects the instruction and trims it', async () => {
    const one = stored('one');
    const { experts, read } = await expertsIn(
      workspace(
        [one],
        [
          [one, { kind: 'instruction', text: 'Open the mail.' }],
          [one, { kind: 'trim', part: { from: 1, to: 2 } }],
        ],
      ),
    );
    expect(experts).toMatchObject([{ instruction: 'Open the mail.', steps: 1 }]);
    const [about] = experts;
    if (about === undefined) throw new Error('one expert expected');
    const { actions, screens } = await read(about);
    expect(actions).toEqual([click(20)]);
    expect(screens.map(shownBy)).toEqual([1, 2]);
  });
});

test('a missing folder is an error, and no folder has no trajectories', async () => {
  await expect(expertsIn('/no/such/folder')).rejects.toThrow(/no such file/);
  expect((await expertsIn(undefined)).experts).toEqual([]);
});
