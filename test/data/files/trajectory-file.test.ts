import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { Alternative } from '../../../runtime/core/decision.ts';
import { version } from '../../../runtime/core/ids.ts';
import type { Step } from '../../../runtime/core/step.ts';
import { headOf } from '../../../runtime/data/files/head.ts';
import { keptOf } from '../../../runtime/data/files/lines.ts';
import {
  decodeHead,
  decodeTrajectory,
  encodeTrajectory,
  TrajectoryFileError,
} from '../../../runtime/data/files/trajectory-file.ts';
import { anyTrajectory, BROKEN, judged, step, trajectory } from '../trajectories.ts';

const PNGS = { kind: 'png', images: [1, 2, 3].map(each => Uint8Array.of(each)) } as const;

test('reading gives back what is kept of a trajectory', () => {
  fc.assert(
    fc.property(anyTrajectory, original => {
      expect(decodeTrajectory(encodeTrajectory(original).bytes, 'a.zip')).toEqual(keptOf(original));
    }),
    { numRuns: 300 },
  );
});

test('what was kept once is kept whole', () => {
  fc.assert(
    fc.property(anyTrajectory, original => {
      const kept = keptOf(original);
      expect(keptOf(kept)).toEqual(kept);
      expect(encodeTrajectory(kept).bytes).toEqual(encodeTrajectory(original).bytes);
    }),
    { numRuns: 100 },
  );
});

test('nothing but observations that can be made again and unlikely alternatives is left out', () => {
  const likely = (probability: number): Alternative => ({
    choice: 1,
    logProbability: Math.log(probability),
    label: String(probability),
  });
  const chosen = step(1, 0.5).chosen?.decisions[0];
  if (chosen === undefined) throw new Error('a step was chosen');
  const alternatives = [0.4, 0.3, 0.1, 0.1, 0.05, 0.005].map(likely);
  const observation = { encoding: 'seen-1', bytes: Uint8Array.of(1, 2, 3) };
  const withAlternatives = (those: readonly Alternative[]): Step => ({
    ...step(1, 0.5),
    observation,
    chosen: { version: version(1), decisions: [{ ...chosen, alternatives: those }] },
  });
  const original = trajectory('t', { steps: [withAlternatives(alternatives)] });
  const [kept] = keptOf(original).steps;
  expect(kept?.observation).toBeUndefined();
  expect(kept?.chosen?.decisions[0]?.alternatives).toEqual(alternatives.slice(0, 4));
  // Nobody can draw the screens of a real desktop again.
  expect(keptOf({ ...original, frames: PNGS }).steps[0]?.observation).toEqual(observation);
  const few = [0.9, 0.005].map(likely);
  const short = keptOf(trajectory('t', { steps: [withAlternatives(few)] }));
  expect(short.steps[0]?.chosen?.decisions[0]?.alternatives).toEqual(few.slice(0, 1));
});

test('any archive reader finds the layout of an OSWorld result', () => {
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

test('a damaged file is an error that names it and what to do, or gives back the same', () => {
  fc.assert(
    fc.property(anyTrajectory, fc.nat(), fc.integer({ min: 1, max: 255 }), (original, at, flip) => {
      const { bytes } = encodeTrajectory(original);
      const damaged = bytes.slice();
      damaged[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ flip;
      expectSameOrRefused(damaged, keptOf(original));
    }),
    { numRuns: 500 },
  );
});

test('a file that is cut off is refused', () => {
  fc.assert(
    fc.property(anyTrajectory, fc.nat(), (original, length) => {
      const { bytes } = encodeTrajectory(original);
      expectSameOrRefused(bytes.subarray(0, length % bytes.length), keptOf(original));
    }),
    { numRuns: 200 },
  );
  const { bytes } = encodeTrajectory(trajectory('t'));
  expect(() => decodeTrajectory(bytes.subarray(0, 300), 'runs/t.zip')).toThrow(
    /The trajectory in 'runs\/t.zip' cannot be read \(.*\): put the file back from a copy, or delete it/,
  );
});

function expectSameOrRefused(bytes: Uint8Array, original: unknown): void {
  try {
    expect(decodeTrajectory(bytes, 'a.zip')).toEqual(original);
  } catch (error) {
    expect(error).toBeInstanceOf(TrajectoryFileError);
  }
}

test('numbers that JSON cannot write are refused before anything is written', () => {
  const odd = step(1, Number.NaN);
  expect(() => encodeTrajectory(trajectory('t', { steps: [odd] }))).toThrow(
    /Step 0 of the trajectory t .*NaN/,
  );
});
