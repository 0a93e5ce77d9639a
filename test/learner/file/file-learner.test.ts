// The folder of updates: its laws as a learner, and its files.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { DurableFolder } from '../../../runtime/data/files/durable.ts';
import { COLUMNS } from '../../../runtime/learner/file/exported-row.ts';
import { DATASET_INFO } from '../../../runtime/learner/file/fine-tuning.ts';
import type { Learner } from '../../../runtime/learner/learner.ts';
import { temporaryFolder } from '../../temporary.ts';
import { testLearner } from '../conformance.ts';
import { LIVE } from '../laws/law.ts';
import { type Disk, MemoryFiles } from './memory-files.ts';
import { linesIn, listed, MODEL, open, textIn } from './open-file-learner.ts';
import { DARK, images, LIGHT, PNGS, STEPS, updateNamed } from './steps.ts';

/** The rows that the manifest lists, without the names of their files. */
const contentsOf = (disk: Disk) =>
  listed(disk).map(({ id, step, rows, jsonl }) => ({ id, step, rows, lines: linesIn(disk, jsonl) }));

describe('the folder', () => {
  const folders = new WeakMap<Learner, MemoryFiles>();
  async function openIn(disk: Disk): Promise<Learner> {
    const files = new MemoryFiles(disk);
    const learner = await open(files);
    folders.set(learner, files);
    return learner;
  }
  const filesOf = (learner: Learner): MemoryFiles => folders.get(learner) ?? new MemoryFiles(new Map());
  testLearner('files', { assesses: false, hasReference: false, clips: false, publishes: false }, () => ({
    open: () => openIn(new Map()),
    async reopen(learner) {
      const { disk } = filesOf(learner);
      filesOf(learner).crash();
      return await openIn(disk);
    },
    steps: STEPS,
    optimiser: updateNamed('u').optimiser,
    tolerance: 0,
    contents: async learner => contentsOf(filesOf(learner).disk),
  }));
});

describe('an update', () => {
  async function written(): Promise<Disk> {
    const disk: Disk = new Map();
    await (await open(new MemoryFiles(disk))).update(updateNamed('u1'), LIVE);
    return disk;
  }

  test('is one row per step, as JSON lines', async () => {
    const disk = await written();
    const lines = linesIn(disk, 'updates/000001.jsonl');
    expect(lines).toHaveLength(STEPS.length);
    expect(lines[0]).toEqual({
      update: 'u1',
      step: 1,
      trajectory: 'u1-trajectory-0',
      turn: 0,
      group: 'group-1',
      task: 'task "1"',
      advantage: 1.5,
      prompt: [
        { tokens: [11, 12], image: null, places: null },
        { tokens: null, image: DARK, places: 4 },
        { tokens: [13], image: null, places: null },
      ],
      reply: [21, 22, 23],
      weights: [0.1, 0.2, 0.1 * 3],
      rollout_log_probs: [-0.25, -1.25, -2.25],
      old_log_probs: [-0.5, -1.5, -2.5],
      reference_log_probs: [-1, -2, -3],
    });
    expect(lines[2]).toMatchObject({ rollout_log_probs: null, old_log_probs: null });
  });

  test('has the same rows and columns in Parquet', async () => {
    const disk = await written();
    const bytes = disk.get('updates/000001.parquet') ?? new Uint8Array();
    const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
    // A reader may give a missing list as undefined.
    const plain = JSON.parse(JSON.stringify(rows, (_, value) => value ?? null));
    const missing = Object.fromEntries(Object.keys(COLUMNS).map(name => [name, null]));
    expect(plain.map((row: object) => ({ ...missing, ...row }))).toEqual(
      linesIn(disk, 'updates/000001.jsonl'),
    );
    expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(COLUMNS));
  });

  test('has its images once each', async () => {
    const files = new MemoryFiles(new Map());
    const learner = await open(files);
    await learner.update(updateNamed('u1'), LIVE);
    await learner.update(updateNamed('u2'), LIVE);
    await (await open(files)).update(updateNamed('u3'), LIVE);
    const written = files.writes.filter(place => place.startsWith('images/'));
    expect(written).toEqual([`images/${DARK}.png`, `images/${LIGHT}.png`]);
    for (const [hash, png] of PNGS) expect(files.disk.get(`images/${hash}.png`)).toEqual(png);
  });

  test('is listed in the manifest, which explains the columns', async () => {
    const manifest = JSON.parse(textIn(await written(), 'manifest.json'));
    expect(manifest).toMatchObject({
      format: 'dartboard-updates-1',
      model: MODEL,
      updates: [
        { id: 'u1', step: 1, rows: 3, jsonl: 'updates/000001.jsonl', parquet: 'updates/000001.parquet' },
      ],
    });
    expect(Object.keys(manifest.columns)).toEqual(Object.keys(COLUMNS));
  });

  test('has the successful steps as messages with images, and LLaMA-Factory finds them', async () => {
    const disk = await written();
    expect(linesIn(disk, 'chat/000001.jsonl')).toEqual([
      {
        messages: [
          { role: 'system', content: 'You operate a desktop.' },
          { role: 'user', content: 'Save the file. Screen: <image>\nNow: <image>' },
          { role: 'assistant', content: 'Action: click(1) # u1-trajectory-0' },
        ],
        images: [`images/${DARK}.png`, `images/${LIGHT}.png`],
      },
    ]);
    expect(JSON.parse(textIn(disk, 'dataset_info.json'))).toEqual(DATASET_INFO);
  });

  test('has as messages the steps that the batch counts as successful, whatever their files say', async () => {
    const disk: Disk = new Map();
    const exchangeOf = async ({ trajectory }: { readonly trajectory: string }) => ({
      messages: [],
      reply: trajectory,
    });
    await (await open(new MemoryFiles(disk), { exchangeOf })).update(updateNamed('u1'), LIVE);
    expect(linesIn(disk, 'chat/000001.jsonl').map(each => (each as { messages: unknown }).messages)).toEqual(
      ['u1-trajectory-0', 'u1-trajectory-1'].map(content => [{ role: 'assistant', content }]),
    );
  });

  test.each(['<image>', '<bbox>'])('leaves out a successful step whose text has %s', async placeholder => {
    const disk: Disk = new Map();
    const exchangeOf = async () => ({ messages: [], reply: `Type ${placeholder} into the field.` });
    await (await open(new MemoryFiles(disk), { exchangeOf })).update(updateNamed('u1'), LIVE);
    expect([...disk.keys()].filter(place => /chat|dataset/.test(place))).toEqual([]);
    expect(listed(disk)[0]).not.toHaveProperty('chat');
  });

  test('has no messages where nobody gives them', async () => {
    const disk: Disk = new Map();
    await (await open(new MemoryFiles(disk), {})).update(updateNamed('u1'), LIVE);
    expect([...disk.keys()].filter(place => /chat|dataset/.test(place))).toEqual([]);
    expect(listed(disk)[0]).not.toHaveProperty('chat');
  });

  test('is rejected for an image that is not what its hash says', async () => {
    const disk: Disk = new Map();
    const wrong = async () => Uint8Array.of(1, 2, 3);
    const learner = await open(new MemoryFiles(disk), { images: wrong });
    await expect(learner.update(updateNamed('u1'), LIVE)).rejects.toThrow(`The image ${DARK} has the hash`);
    expect(listed(disk)).toEqual([]);
  });

  test('survives on a real disk', async () => {
    const path = temporaryFolder('updates');
    const learner = await open(new DurableFolder(path));
    await learner.update(updateNamed('u1'), LIVE);
    const saved = await learner.save('one', LIVE);
    const next = await open(new DurableFolder(path));
    expect(next.step).toBe(1);
    await next.load(saved, LIVE);
    await next.update(updateNamed('u2'), LIVE);
    const { updates } = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'));
    expect(updates.map(({ id }: { id: string }) => id)).toEqual(['u1', 'u2']);
    expect(await readFile(join(path, `images/${DARK}.png`))).toEqual(Buffer.from(await images(DARK)));
  });
});

describe('is rejected', () => {
  test('a folder of another model', async () => {
    const disk: Disk = new Map();
    await (await open(new MemoryFiles(disk))).update(updateNamed('u1'), LIVE);
    await expect(open(new MemoryFiles(disk), { model: 'other' })).rejects.toThrow(
      "has updates of the model 'a-model', not of 'other'",
    );
  });

  test.each(['{', '{"format":"dartboard-updates-2"}'])('a manifest that cannot be read: %s', async text => {
    const disk: Disk = new Map([['manifest.json', new TextEncoder().encode(text)]]);
    await expect(open(new MemoryFiles(disk))).rejects.toThrow(
      /Cannot read 'updates-of-a-run\/manifest\.json'.* Restore the file, or start a new run with another folder\./,
    );
  });

  test.each(['', '../escape', '.hidden', 'a/b'])("a state named '%s'", async name => {
    const learner = await open(new MemoryFiles(new Map()));
    await expect(learner.save(name, LIVE)).rejects.toThrow(`cannot have the name '${name}'`);
  });

  test('a state outside of the folder of states', async () => {
    const learner = await open(new MemoryFiles(new Map()));
    await learner.update(updateNamed('u1'), LIVE);
    await expect(learner.load('manifest.json', LIVE)).rejects.toThrow("no saved state 'manifest.json'");
  });

  test('a state that is lost, with what to do', async () => {
    const learner = await open(new MemoryFiles(new Map()));
    await expect(learner.load('saved/step-3.json', LIVE)).rejects.toThrow(
      "no saved state 'saved/step-3.json'. Restore the folder 'updates-of-a-run', or start a new run",
    );
  });
});

test('a forgotten state leaves no file, and nothing but a state can be forgotten', async () => {
  const files = new MemoryFiles(new Map());
  const learner = await open(files);
  await learner.update(updateNamed('u1'), LIVE);
  const [first, second] = [await learner.save('one', LIVE), await learner.save('two', LIVE)];
  await learner.forget?.(first);
  await learner.forget?.('manifest.json');
  const isThere = (place: string) => files.disk.has(place);
  expect([first, second, 'manifest.json'].map(isThere)).toEqual([false, true, true]);
  await learner.load(second, LIVE);
  expect(learner.last).toBe('u1');
});

test.each(['lost', 'replaced by an older one'])(
  'after the manifest is %s, the next update leaves the files of later updates as they are',
  async fate => {
    const disk: Disk = new Map();
    const learner = await open(new MemoryFiles(disk));
    for (const id of ['u1', 'u2']) await learner.update(updateNamed(id), LIVE);
    const saved = await learner.save('one', LIVE);
    const older = disk.get('manifest.json') ?? new Uint8Array();
    await learner.update(updateNamed('u3'), LIVE);
    const before = textIn(disk, 'updates/000003.jsonl');
    if (fate === 'lost') disk.delete('manifest.json');
    else disk.set('manifest.json', older);
    const next = await open(new MemoryFiles(disk));
    await next.load(saved, LIVE);
    await next.update(updateNamed('u4'), LIVE);
    expect(textIn(disk, 'updates/000003.jsonl')).toBe(before);
    expect(listed(disk).map(({ id, step, jsonl }) => [id, step, jsonl])).toEqual([
      ['u1', 1, 'updates/000001.jsonl'],
      ['u2', 2, 'updates/000002.jsonl'],
      ['u4', 3, 'updates/000004.jsonl'],
    ]);
  },
);

test('without the manifest and a state, an update leaves the files of earlier updates as they are', async () => {
  const disk: Disk = new Map();
  const learner = await open(new MemoryFiles(disk));
  for (const id of ['u1', 'u2']) await learner.update(updateNamed(id), LIVE);
  disk.delete('manifest.json');
  // The trainer has read them.
  for (const place of ['updates/000001.jsonl', 'updates/000001.parquet', 'chat/000001.jsonl'])
    disk.delete(place);
  const before = textIn(disk, 'updates/000002.jsonl');
  const next = await open(new MemoryFiles(disk));
  for (const id of ['u3', 'u4']) await next.update(updateNamed(id), LIVE);
  expect(textIn(disk, 'updates/000002.jsonl')).toBe(before);
  expect(listed(disk).map(({ id, jsonl }) => [id, jsonl])).toEqual([
    ['u3', 'updates/000001.jsonl'],
    ['u4', 'updates/000003.jsonl'],
  ]);
});

test('a state is loaded without the manifest, and the next update leaves its files as they are', async () => {
  const disk: Disk = new Map();
  const learner = await open(new MemoryFiles(disk));
  for (const id of ['u1', 'u2']) await learner.update(updateNamed(id), LIVE);
  const saved = await learner.save('one', LIVE);
  const before = contentsOf(disk);
  disk.delete('manifest.json');
  const next = await open(new MemoryFiles(disk));
  await next.load(saved, LIVE);
  await next.update(updateNamed('u3'), LIVE);
  expect(contentsOf(disk).slice(0, 2)).toEqual(before);
  expect(listed(disk).map(({ id, jsonl }) => [id, jsonl])).toEqual(
    ['u1', 'u2', 'u3'].map((id, index) => [id, `updates/00000${index + 1}.jsonl`]),
  );
});
