// The folder of `dartboard eval --agent … --out`.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareOsworldResults, writeOsworldResult } from '../../runtime/cli/osworld-results.ts';
import { runProgram } from '../../runtime/cli/program.ts';
import { trajectoryId } from '../../runtime/core/ids.ts';
import type { Outcome } from '../../runtime/core/verdict.ts';
import { placeOf } from '../../runtime/data/files/places.ts';
import { encodeTrajectory } from '../../runtime/data/files/trajectory-file.ts';
import { suiteFrom } from '../../runtime/environments/suite.ts';
import type { EpisodeResult } from '../../runtime/protocol/daemon/episode-result.ts';
import { BROKEN, judged, trajectory } from '../data/trajectories.ts';
import { temporaryFolder } from '../temporary.ts';
import { contextWithoutProcesses } from './command-context.ts';
import { brokenEpisode, judgedEpisode } from './episodes.ts';

test('the folder is made before the evaluation, and stays empty', async () => {
  const folder = temporaryFolder('results');
  await prepareOsworldResults(folder, 'of/toy');
  expect(readdirSync(join(folder, 'of/toy'))).toEqual([]);
});

test('a folder that cannot be written ends the command before the evaluation starts', async () => {
  const { context, output, errors } = contextWithoutProcesses();
  writeFileSync(join(context.folder, 'plain'), '');
  const args = ['eval', '--agent', 'compact', '--out', 'plain/results'];
  expect(await runProgram({ ...context, root: join(context.folder, 'runs') }, args)).toBe(1);
  expect(errors.join()).toMatch(/^--out 'plain\/results' cannot be written \(.+\)\. Give a folder/);
  expect(output.text).toBe('');
  // A collection would have made the folder of the runs.
  expect(readdirSync(context.folder)).toEqual(['plain']);
});

/** No instance of its task can be made. */
function resultsFolder() {
  const [root, out] = [temporaryFolder('runs'), temporaryFolder('results')];
  const suite = suiteFrom('a test', [{ id: 'notes-rename', tier: 1, apps: ['notes'] }], () => {
    throw new RangeError('{what} has no value.');
  });
  return {
    out,
    write: (episode: EpisodeResult) =>
      writeOsworldResult(episode, { out, root, agent: 'toy', suite, kind: 'pocket' }),
    store(episode: EpisodeResult, outcome: Outcome): void {
      const { run: _, group: __, ...stored } = trajectory(episode.trajectory, { outcome });
      const path = join(root, placeOf(trajectoryId(episode.trajectory), undefined));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, encodeTrajectory(stored).bytes);
    },
  };
}

test('a broken episode without a file has no result', async () => {
  const { out, write } = resultsFolder();
  await write(brokenEpisode('notes-rename', 1));
  expect(readdirSync(out)).toEqual([]);
});

test('a broken episode whose instance cannot be made is written without pictures', async () => {
  const { out, write, store } = resultsFolder();
  const episode = brokenEpisode('notes-rename', 1);
  store(episode, BROKEN);
  await write(episode);
  const folder = join(out, 'pyautogui/screenshot_a11y_tree/toy/notes/notes-rename-1');
  expect(readdirSync(folder).sort()).toEqual(['dartboard.json', 'traj.jsonl']);
});

test('an error about a judged episode names the option, the task and the instance', async () => {
  const { out, write, store } = resultsFolder();
  const episode = judgedEpisode('notes-rename', 1, true);
  store(episode, judged(1));
  await expect(write(episode)).rejects.toThrow(
    `The result of task 'notes-rename', instance 1, cannot be written to --out '${out}': {what} has no value. The episodes so far are stored.`,
  );
  expect(readdirSync(out)).toEqual([]);
});
