import fc from 'fast-check';
import { strFromU8, strToU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { CHAT_ENCODING } from '../../../runtime/agents/model/chat-observation.ts';
import type { Alternative } from '../../../runtime/core/decision.ts';
import { version } from '../../../runtime/core/ids.ts';
import type { Step } from '../../../runtime/core/step.ts';
import type { TokensTrace } from '../../../runtime/core/trace.ts';
import { zipped } from '../../../runtime/core/zip-writer.ts';
import { headOf } from '../../../runtime/data/files/head.ts';
import { keptOf } from '../../../runtime/data/files/lines.ts';
import {
  decodeHead,
  decodeTrajectory,
  encodeTrajectory,
  TrajectoryFileError,
  UnstorableTrajectory,
} from '../../../runtime/data/files/trajectory-file.ts';
import { MAX_INFLATED_BYTES, ZipError, ZipReader } from '../../../runtime/data/files/zip.ts';
import { anyTrajectory, BROKEN, judged, step, trajectory } from '../trajectories.ts';

const PNGS = { kind: 'png', images: [1, 2, 3].map(each => Uint8Array.of(each)) } as const;

test('a decoded trajectory equals the stored part', async () => {
  await fc.assert(
    fc.asyncProperty(anyTrajectory, async original => {
      expect(await decodeTrajectory(encodeTrajectory(original).bytes, 'a.zip')).toEqual(keptOf(original));
    }),
    { numRuns: 300 },
  );
});

test('storing a decoded trajectory again loses nothing', () => {
  fc.assert(
    fc.property(anyTrajectory, original => {
      const kept = keptOf(original);
      expect(keptOf(kept)).toEqual(kept);
      expect(encodeTrajectory(kept).bytes).toEqual(encodeTrajectory(original).bytes);
    }),
    { numRuns: 100 },
  );
});

test('only reproducible observations and unlikely alternatives are omitted', () => {
  const likely = (probability: number): Alternative => ({
    choice: 1,
    logProbability: Math.log(probability),
    label: String(probability),
  });
  const decisionsOf = ({ chosen: by }: Step) => (by?.trace.kind === 'heads' ? by.trace.decisions : []);
  const [chosen] = decisionsOf(step(1, 0.5));
  if (chosen === undefined) throw new Error('a step was chosen');
  const alternatives = [0.4, 0.3, 0.1, 0.1, 0.05, 0.005].map(likely);
  const observation = { encoding: 'seen-1', bytes: Uint8Array.of(1, 2, 3) };
  const withAlternatives = (those: readonly Alternative[]): Step => ({
    ...step(1, 0.5),
    observation,
    chosen: {
      version: version(1),
      trace: { kind: 'heads', decisions: [{ ...chosen, alternatives: those }] },
    },
  });
  const original = trajectory('t', { steps: [withAlternatives(alternatives)] });
  const [kept] = keptOf(original).steps;
  expect(kept?.observation).toBeUndefined();
  expect(kept && decisionsOf(kept)[0]?.alternatives).toEqual(alternatives.slice(0, 4));
  // Nobody can draw the screens of a real desktop again.
  expect(keptOf({ ...original, frames: PNGS }).steps[0]?.observation).toEqual(observation);
  const few = [0.9, 0.005].map(likely);
  const [short] = keptOf(trajectory('t', { steps: [withAlternatives(few)] })).steps;
  expect(short && decisionsOf(short)[0]?.alternatives).toEqual(few.slice(0, 1));
});

test('an archive has the layout of an OSWorld result', () => {
  const { bytes } = encodeTrajectory(
    trajectory('t', {
      frames: PNGS,
      steps: [step(1, 0.5), { action: { kind: 'finished', answer: 'it is done' }, meant: [] }],
      outcome: judged(0.5),
      startedAt: Date.UTC(2026, 10, 20, 18, 21, 49),
    }),
  );
  const entries = unzipSync(bytes);
  expect(Object.keys(entries)).toEqual([
    ...['dartboard.json', 'traj.jsonl', 'result.txt'],
    ...['step_0.png', 'step_1.png', 'step_2.png'],
  ]);
  const entry = (name: string) => strFromU8(entries[name] ?? new Uint8Array());
  expect(Number(entry('result.txt'))).toBe(0.5);
  const lines = entry('traj.jsonl')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const always = { action_timestamp: '20261120@182149000000', response: '', info: {} };
  expect(lines).toMatchObject([
    {
      ...always,
      step_num: 1,
      action: 'pyautogui.click(10, 20)',
      reward: 0,
      done: false,
      screenshot_file: 'step_1.png',
    },
    { ...always, step_num: 2, action: 'DONE', reward: 0.5, done: true, screenshot_file: 'step_2.png' },
  ]);
});

test('a broken trajectory has neither a result nor a reward', () => {
  const entries = unzipSync(encodeTrajectory(trajectory('t', { outcome: BROKEN })).bytes);
  expect(Object.keys(entries)).not.toContain('result.txt');
  expect(JSON.parse(strFromU8(entries['traj.jsonl'] ?? new Uint8Array()))).toMatchObject({ reward: null });
});

test('the first bytes of a file are enough to index it', () => {
  fc.assert(
    fc.property(anyTrajectory, fc.nat(), (original, cut) => {
      const { bytes, head } = encodeTrajectory(original);
      expect(head).toEqual(headOf(original));
      let part = decodeHead(bytes.subarray(0, cut % bytes.length), 'a.zip');
      while ('needs' in part) {
        expect(part.needs).toBeLessThan(bytes.length);
        part = decodeHead(bytes.subarray(0, part.needs), 'a.zip');
      }
      expect(part).toEqual(head);
    }),
    { numRuns: 200 },
  );
});

test('a damaged file decodes to the same content or is an error with a remedy', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyTrajectory,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (original, at, flip) => {
        const { bytes } = encodeTrajectory(original);
        const damaged = bytes.slice();
        damaged[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ flip;
        await expectSameOrRefused(damaged, keptOf(original));
      },
    ),
    { numRuns: 500 },
  );
});

test('a truncated file is rejected', async () => {
  await fc.assert(
    fc.asyncProperty(anyTrajectory, fc.nat(), async (original, length) => {
      const { bytes } = encodeTrajectory(original);
      await expectSameOrRefused(bytes.subarray(0, length % bytes.length), keptOf(original));
    }),
    { numRuns: 200 },
  );
  const { bytes } = encodeTrajectory(trajectory('t'));
  await expect(decodeTrajectory(bytes.subarray(0, 300), 'runs/t.zip')).rejects.toThrow(
    /The trajectory in 'runs\/t.zip' cannot be read \(.*\)\. Restore the file from a copy, or delete it/,
  );
});

async function expectSameOrRefused(bytes: Uint8Array, original: unknown): Promise<void> {
  const decoded = await decodeTrajectory(bytes, 'a.zip').catch((error: unknown) => error);
  if (!(decoded instanceof TrajectoryFileError)) expect(decoded).toEqual(original);
}

/** The header and content of an archive's only entry, without the directory. */
function localEntry(name: string, content: Uint8Array): Uint8Array {
  const bytes = zipped([{ name, content }]);
  return bytes.subarray(0, bytes.length - (46 + name.length) - 22);
}

test('foreign entries are not inflated', async () => {
  const original = trajectory('t');
  const foreign = localEntry('foreign.bin', new Uint8Array(1000));
  // The compressed content is last. Inflating it would be an error.
  foreign.fill(0xff, -4);
  const bytes = Buffer.concat([foreign, encodeTrajectory(original).bytes]);
  expect(await decodeTrajectory(bytes, 'a.zip')).toEqual(keptOf(original));
  await expect(new ZipReader(bytes).read('foreign.bin')).rejects.toThrow(ZipError);
});

test('a trajectory that inflates to more than 64 MB is rejected', async () => {
  const head = Buffer.from(JSON.stringify(encodeTrajectory(trajectory('t')).head));
  const bytes = zipped([
    { name: 'dartboard.json', content: head, stored: true },
    { name: 'traj.jsonl', content: new Uint8Array((1 << 26) + 1) },
  ]);
  await expect(decodeTrajectory(bytes, 'a.zip')).rejects.toThrow(/'a\.zip'.*inflates to more than 64 MB/);
});

test('the limit is that of all entries together', async () => {
  const content = new Uint8Array(MAX_INFLATED_BYTES / 2 + 1);
  const reader = new ZipReader(
    zipped([
      { name: 'a', content },
      { name: 'b', content },
    ]),
  );
  expect(await reader.read('a')).toHaveLength(content.length);
  const second = await reader.read('b').then(() => 'read', String);
  expect(second).toContain('inflates to more than 64 MB');
});

test('an entry is inflated beside the main thread', async () => {
  const reader = new ZipReader(zipped([{ name: 'a', content: new Uint8Array(1000) }]));
  let isOver = false;
  const reading = reader.read('a').finally(() => {
    isOver = true;
  });
  // Work of another thread is over in a later turn of the event loop only.
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
  expect(isOver).toBe(false);
  await reading;
});

describe('a trajectory with more than 64 MB of text', () => {
  const reply = (prompt: readonly number[]): TokensTrace => ({
    ...{ kind: 'tokens', tokens: [], prompt, estimator: 'exact', finish: 'stop', raw: 'a', defects: [] },
    served: { endpoint: 'a', model: 'b', latencyMs: 1, retries: [] },
  });
  const replied = (count: number, prompt: readonly number[]): Step[] =>
    Array.from({ length: count }, () => ({
      ...step(1, 0.5),
      chosen: { version: version(1), trace: reply(prompt) },
    }));

  test('is stored without the ids of its prompts', async () => {
    const prompt = new Array<number>(1 << 20).fill(1_234_567);
    // Each id has 8 bytes.
    for (const [count, isWhole] of [
      [7, true],
      [9, false],
    ] as const) {
      const original = trajectory('t', { steps: replied(count, prompt) });
      const { steps } = await decodeTrajectory(encodeTrajectory(original).bytes, 'a.zip');
      const lengths = steps.map(
        ({ chosen }) => chosen?.trace.kind === 'tokens' && chosen.trace.prompt?.length,
      );
      expect(lengths).toEqual(new Array(count).fill(isWhole ? prompt.length : undefined));
    }
  });

  test('is rejected before a write if its messages alone are too long', () => {
    const observation = { encoding: CHAT_ENCODING, bytes: new Uint8Array(1 << 23) };
    const steps = replied(8, []).map(each => ({ ...each, observation }));
    const original = trajectory('t', { steps });
    expect(() => encodeTrajectory(original)).toThrow(UnstorableTrajectory);
    expect(() => encodeTrajectory(original)).toThrow(
      /^A trajectory of the task \S+ cannot be stored: its messages and replies exceed the 64 MB that a file holds\. Lower max_steps of the task, or select/,
    );
  });
});

test('a step with more notches than a file gets today is read', async () => {
  const scroll = { kind: 'scroll', at: { x: 1, y: 2 }, direction: 'down', notches: 10_000 } as const;
  const { bytes } = encodeTrajectory(trajectory('t', { steps: [{ action: scroll, meant: [] }] }));
  const entries = unzipSync(bytes);
  const lines = strFromU8(entries['traj.jsonl'] ?? new Uint8Array());
  expect(lines).toContain('"dy":-10000');
  const earlier = { ...entries, 'traj.jsonl': strToU8(lines.replace('"dy":-10000', '"dy":-20000')) };
  const archive = zipped(
    Object.entries(earlier).map(([name, content]) => ({ name, content, stored: name === 'dartboard.json' })),
  );
  const { steps } = await decodeTrajectory(archive, 'a.zip');
  expect(steps[0]?.action).toEqual({ ...scroll, notches: 20_000 });
});

test('numbers that JSON cannot represent are rejected before a write', () => {
  const odd = step(1, Number.NaN);
  expect(() => encodeTrajectory(trajectory('t', { steps: [odd] }))).toThrow(
    /^A trajectory of the task notes-rename cannot be stored \(a probability or an entropy is NaN\)\. Correct /,
  );
});

test.each([
  ['more images than entries', { frames: { kind: 'png', images: 1e9 } }, /no entry step_999999999/],
  ['a field of another type', { maxSteps: 'many' }, /maxSteps: /],
])('a head with %s is rejected with the reason', async (_, changes, reason) => {
  const { head, bytes } = encodeTrajectory(trajectory('a', { frames: PNGS }));
  const { 'dartboard.json': __, ...others } = unzipSync(bytes);
  const changed = zipped([
    {
      name: 'dartboard.json',
      content: new TextEncoder().encode(JSON.stringify({ ...head, ...changes })),
      stored: true,
    },
    ...Object.entries(others).map(([name, content]) => ({ name, content })),
  ]);
  const decoded = decodeTrajectory(changed, 'a.zip');
  await expect(decoded).rejects.toThrow(TrajectoryFileError);
  await expect(decoded).rejects.toThrow(reason);
});
