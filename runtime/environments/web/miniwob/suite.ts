// The task suite of a folder with pages of MiniWoB++: each page is a task, and a seed is an instance of it.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../../core/errors.ts';
import type { Seed } from '../../../core/ids.ts';
import type { Task } from '../../../core/task.ts';
import { instanceOf, type Suite, suiteFrom, type TaskKind } from '../../suite.ts';
import { type MiniwobPage, pageNamed } from './catalogue.ts';
import type { MiniwobStart } from './episode.ts';

/** Published policies learn from many more instances than the templates of other suites have. */
const SEEDS = { trainSeeds: 1000, firstTestSeed: 1000 };
/** The part of the user's folder that pages see. */
export const MINIWOB_SERVED = 'html';
export const PAGES_FOLDER = join(MINIWOB_SERVED, 'miniwob');

/** The ids of these tasks begin with it. */
const ID_PREFIX = 'miniwob-';

export const isMiniwobTask = (id: string): boolean => id.startsWith(ID_PREFIX);

export interface MiniwobTask extends TaskKind {
  readonly page: MiniwobPage;
}

export type MiniwobSuite = Suite<MiniwobTask>;

/** Rejects if the folder has no pages. Other HTML files in it are ignored. */
export async function miniwobSuite(folder: string): Promise<MiniwobSuite> {
  const pages = await pagesOf(folder);
  if (pages.length === 0)
    throw new RangeError(
      `No pages of MiniWoB++ in ${join(folder, PAGES_FOLDER)}. Choose a folder with html/miniwob and html/core, or download one with 'dartboard web get miniwob'.`,
    );
  return suiteFrom('MiniWoB++', pages.map(taskOf), instance, SEEDS);
}

async function pagesOf(folder: string): Promise<readonly string[]> {
  const pages = join(folder, PAGES_FOLDER);
  try {
    const files = (await readdir(pages)).filter(file => /^[\w-]+\.html$/.test(file)).sort();
    const isPage = await Promise.all(
      files.map(async file => (await readFile(join(pages, file), 'utf8')).includes('core.startEpisode')),
    );
    return files.filter((_, index) => isPage[index]).map(file => file.slice(0, -'.html'.length));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const taskOf = (name: string): MiniwobTask => {
  const page = pageNamed(name);
  return { id: `${ID_PREFIX}${name}`, tier: page.tier, apps: ['miniwob'], page };
};

/** The instruction is a placeholder: the page generates the real one when it starts. */
function instance(task: MiniwobTask, number: Seed): Task {
  const { page, maxSteps } = task.page;
  const parameters: MiniwobStart = { page, seed: number, mode: number < SEEDS.trainSeeds ? 'train' : 'test' };
  return instanceOf(task, {
    instruction: `Do the task of the page ${page}.`,
    config: [{ type: 'miniwob', parameters }],
    evaluator: { func: 'score', result: { type: 'miniwob_reward' } },
    maxSteps,
  });
}
