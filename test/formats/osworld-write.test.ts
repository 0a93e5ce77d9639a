// The folder layout of OSWorld's results.

import { linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seed, taskId } from '../../runtime/core/ids.ts';
import type { Trajectory } from '../../runtime/core/trajectory.ts';
import {
  type OsworldEpisode,
  osworldFiles,
  osworldFolder,
  writeOsworld,
} from '../../runtime/formats/osworld/write.ts';
import { replaceOsworldFiles, writeFiles } from '../../runtime/formats/write-files.ts';
import { BROKEN, folder, judged, trajectory } from '../data/trajectories.ts';

const filesBelow = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();

const writeOsworldEpisode = (root: string, episode: OsworldEpisode): Promise<void> =>
  replaceOsworldFiles(root, osworldFiles(episode));

const PICTURES = [Uint8Array.of(1), Uint8Array.of(2)];
const about = { agent: 'tars', domain: 'notes', pictures: PICTURES };
const PLACE = 'pyautogui/screenshot_a11y_tree/tars/notes/notes-rename-1';

/** As OSWorld's `show_result.py` reads it: every folder of a task with a result.txt is one result of its domain. */
function resultsIn(root: string, model: string): Readonly<Record<string, readonly number[]>> {
  const target = join(root, 'pyautogui', 'screenshot_a11y_tree', model);
  const hasResult = (example: string) => readdirSync(example).includes('result.txt');
  const scores = (domain: string) =>
    readdirSync(join(target, domain))
      .map(example => join(target, domain, example))
      .filter(hasResult)
      .map(example => Number(readFileSync(join(example, 'result.txt'), 'utf8')));
  return Object.fromEntries(readdirSync(target).map(domain => [domain, scores(domain)]));
}

test('an episode has its lines, its pictures and its score', async () => {
  const root = folder();
  await writeOsworldEpisode(root, { ...about, trajectory: trajectory('t', { outcome: judged(0.5) }) });
  expect(filesBelow(root)).toEqual(
    ['dartboard.json', 'result.txt', 'step_0.png', 'step_1.png', 'traj.jsonl'].map(
      name => `${PLACE}/${name}`,
    ),
  );
  expect(resultsIn(root, 'tars')).toEqual({ notes: [0.5] });
  const [line, ...more] = readFileSync(join(root, PLACE, 'traj.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  expect(more).toEqual([]);
  expect(JSON.parse(line ?? '')).toMatchObject({
    ...{ step_num: 1, action: 'pyautogui.click(10, 20)', reward: 0.5, done: true },
    ...{ response: '', info: {}, screenshot_file: 'step_1.png' },
  });
  expect([...readFileSync(join(root, PLACE, 'step_1.png'))]).toEqual([2]);
});

test('a broken episode has no score, also where an earlier evaluation left one', async () => {
  const root = folder();
  const pictures = [...PICTURES, Uint8Array.of(3)];
  await writeOsworldEpisode(root, { ...about, pictures, trajectory: trajectory('t') });
  await writeOsworldEpisode(root, { ...about, trajectory: trajectory('u', { outcome: BROKEN }) });
  expect(filesBelow(root)).toEqual(
    ['dartboard.json', 'step_0.png', 'step_1.png', 'traj.jsonl'].map(name => `${PLACE}/${name}`),
  );
  expect(resultsIn(root, 'tars')).toEqual({ notes: [] });
});

test('results that the built-in agent did not play are not among its own', () => {
  const write = writeOsworld(new Set());
  const options = { screen: { width: 2, height: 2 }, domainOf: () => 'notes' };
  const modelOf = (each: Trajectory) => write(each, PICTURES, options).files[0]?.place.split('/')[2];
  const { run: _, ...alone } = trajectory('t');
  expect(modelOf(trajectory('t'))).toBe('run-1');
  expect(modelOf(alone)).toBe('compact');
  expect(modelOf({ ...alone, provenance: { kind: 'oracle' } })).toBe('scripted');
  expect(modelOf({ ...alone, provenance: { kind: 'human', who: 'Ada' } })).toBe('human');
  expect(modelOf({ ...alone, provenance: { kind: 'imported', from: 'x' } })).toBe('imported');
});

test('a file is replaced as a whole: readers see the earlier one or the new one', async () => {
  const root = folder();
  mkdirSync(join(root, 'a'));
  writeFileSync(join(root, 'a/result.txt'), 'earlier');
  linkSync(join(root, 'a/result.txt'), join(root, 'kept'));
  await writeFiles(root, [{ place: 'a/result.txt', bytes: Buffer.from('new') }]);
  expect(readFileSync(join(root, 'a/result.txt'), 'utf8')).toBe('new');
  expect(readFileSync(join(root, 'kept'), 'utf8')).toBe('earlier');
  expect(filesBelow(root)).toEqual(['a/result.txt', 'kept']);
});

test('what an interrupted evaluation left is removed by the next', async () => {
  const root = folder();
  const episode = { ...about, trajectory: trajectory('t', { outcome: judged(1) }) };
  await writeOsworldEpisode(root, episode);
  const complete = filesBelow(root);
  writeFileSync(join(root, PLACE, 'result.txt.unfinished'), '');
  writeFileSync(join(root, PLACE, 'step_7.png.unfinished'), '');
  await writeOsworldEpisode(root, episode);
  expect(filesBelow(root)).toEqual(complete);
});

test('every task has a folder of its own inside the folder of the results', () => {
  const ids = fc.string({ minLength: 1, maxLength: 200, unit: 'binary' }).filter(id => {
    try {
      return taskId(id) === id;
    } catch {
      return false;
    }
  });
  const place = (task: string) =>
    osworldFolder({
      ...{ agent: 'a', domain: 'd' },
      trajectory: trajectory('t', { instance: { task: taskId(task), seed: seed(7) } }),
    });
  for (const odd of ['..', '.', '../../x', 'C:\\x', 'a/b', 'a\\b', 'con:'])
    expect(place(odd)).toMatch(/^pyautogui\/screenshot_a11y_tree\/a\/d\/[A-Za-z0-9_-][A-Za-z0-9._-]*-7$/);
  fc.assert(
    fc.property(ids, ids, (one, other) => {
      expect(place(one).split('/')).toHaveLength(5);
      expect(place(one).length).toBeLessThan(160);
      if (one !== other) expect(place(one)).not.toBe(place(other));
    }),
  );
});
