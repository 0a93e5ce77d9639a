// The set-up steps of OSWorld's task files, by name.

import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { sentenceOf } from '../../core/errors.ts';
import type { SetupStep } from '../../core/task.ts';
import { sameUrl } from '../../tasks/metrics/browser/compare-urls.ts';
import { runUntil } from '../run-until.ts';
import { functionOf, type TaskFunctions, taskError } from '../task-function.ts';
import { loadHistoryWriter } from './browser-history.ts';
import { checked, command, flag, type OsworldFunction, type TaskRun, text } from './task-run.ts';

const MAX_SLEEP_SECONDS = 600;

const step = <Shape extends z.ZodRawShape>(
  type: string,
  shape: Shape,
  run: (run: TaskRun, parameters: z.infer<z.ZodObject<Shape>>) => Promise<void>,
): OsworldFunction<void> => checked(`set-up step ${type}`, shape, run);

const window = { window_name: text, strict: flag, by_class: flag };
const windowName = ({
  window_name: name,
  strict,
  by_class: byClass,
}: z.infer<z.ZodObject<typeof window>>) => ({
  ...{ name, strict, byClass },
});

const execute = step(
  'execute',
  {
    ...command,
    stdout: z.string().default(''),
    stderr: z.string().default(''),
    until: z
      .object({ returncode: z.number().optional(), stdout: text.optional(), stderr: text.optional() })
      .default({}),
  },
  async (run, { command: given, shell, stdout, stderr, until }) => {
    const { machine, clock, cache } = run;
    const filled = await withNumbers(run, given);
    const once = async () => {
      const result = await machine.run({ command: filled, shell });
      if (stdout !== '') cache.set(stdout, fileOf(stdout, result.output));
      if (stderr !== '') cache.set(stderr, fileOf(stderr, result.errors));
      return result;
    };
    await runUntil(JSON.stringify(given), once, until, clock);
  },
);

const STEPS: TaskFunctions<TaskRun, void> = {
  launch: step('launch', command, async ({ machine }, parameters) => machine.launch(parameters)),
  execute,
  command: execute,
  open: step('open', { path: text }, ({ machine }, { path }) => machine.open(path)),
  sleep: step('sleep', { seconds: z.number().min(0).max(MAX_SLEEP_SECONDS) }, ({ clock }, { seconds }) =>
    clock.sleep(seconds * 1000),
  ),
  download: step(
    'download',
    { files: z.array(z.object({ url: text, path: text })) },
    async ({ machine, downloads }, { files }) => {
      for (const { url, path } of files) await machine.writeFile(path, await downloads.fetch(url));
    },
  ),
  /** Files of this machine, or contents that the task has itself. */
  upload_file: step(
    'upload_file',
    {
      files: z.array(
        z.union([
          z.object({ path: text, content: z.string() }),
          z.object({ path: text, base64: z.base64() }),
          z.object({ path: text, local_path: text }),
        ]),
      ),
    },
    async (run, { files }) => {
      for (const file of files) await run.machine.writeFile(file.path, await contentOf(run, file));
    },
  ),
  activate_window: step('activate_window', window, ({ machine }, parameters) =>
    machine.activateWindow(windowName(parameters)),
  ),
  close_window: step('close_window', window, ({ machine }, parameters) =>
    machine.closeWindow(windowName(parameters)),
  ),
  change_wallpaper: step('change_wallpaper', { path: text }, ({ machine }, { path }) =>
    machine.changeWallpaper(path),
  ),
  chrome_open_tabs: step(
    'chrome_open_tabs',
    { urls_to_open: z.array(text) },
    async ({ machine }, { urls_to_open: urls }) => {
      await machine.browser.started();
      const before = await machine.browser.tabs();
      for (const url of urls) await machine.browser.openTab(url);
      // The tab that the browser started with makes room for them.
      const first = before[0];
      if (first !== undefined) await machine.browser.closeTab(url => url === first.url);
    },
  ),
  chrome_close_tabs: step(
    'chrome_close_tabs',
    { urls_to_close: z.array(text) },
    async ({ machine }, { urls_to_close: urls }) => {
      await machine.browser.started();
      for (const url of urls) await machine.browser.closeTab(open => sameUrl(open, url) === true);
    },
  ),
  update_browse_history: step(
    'update_browse_history',
    {
      history: z.array(
        z.object({ url: text, title: z.string(), visit_time_from_now_in_seconds: z.number() }),
      ),
    },
    async ({ machine, downloads, now }, { history }) => {
      const visits = history.map(({ url, title, visit_time_from_now_in_seconds: seconds }) => ({
        ...{ url, title, time: new Date(now().getTime() - seconds * 1000) },
      }));
      const empty = await downloads.fetch(EMPTY_HISTORY);
      const addVisits = await loadHistoryWriter();
      let changed: Uint8Array;
      try {
        changed = addVisits(empty, visits);
      } catch (error) {
        const message = `cannot add visits to ${EMPTY_HISTORY}: ${sentenceOf(error)} Delete it from environments.guest.downloads, or put the right file into the mirror.`;
        throw taskError('set-up step update_browse_history', message);
      }
      await machine.writeFile('~/.config/google-chrome/Default/History', changed);
    },
  ),
};

/** A database of Chrome without visits, as OSWorld uses it. */
export const EMPTY_HISTORY =
  'https://huggingface.co/datasets/xlangai/ubuntu_osworld_file_cache/resolve/main/chrome/44ee5668-ecd5-4366-a6ce-c1c9b8d4e938/history_empty.sqlite?download=true';

export const STEP_NAMES: readonly string[] = Object.keys(STEPS);

export async function runStep(run: TaskRun, { type, parameters = {} }: SetupStep): Promise<void> {
  await functionOf(STEPS, type, 'set-up step')(run, parameters);
}

const fileOf = (name: string, content: string) => ({ name, bytes: new TextEncoder().encode(content) });

/** Fills in the password and the size of the screen. */
async function withNumbers({ machine, password }: TaskRun, given: string | readonly string[]) {
  if (!JSON.stringify(given).includes('{')) return given;
  const { width, height } = await machine.screenSize();
  const values: Readonly<Record<string, string>> = {
    CLIENT_PASSWORD: password,
    SCREEN_WIDTH: String(width),
    SCREEN_HEIGHT: String(height),
    SCREEN_WIDTH_HALF: String(Math.floor(width / 2)),
    SCREEN_HEIGHT_HALF: String(Math.floor(height / 2)),
  };
  const filled = (line: string) =>
    line.replaceAll(/\{([A-Z_]+)\}/g, (all, name: string) => values[name] ?? all);
  return typeof given === 'string' ? filled(given) : given.map(filled);
}

type Upload = { readonly content: string } | { readonly base64: string } | { readonly local_path: string };

async function contentOf({ folder }: TaskRun, file: Upload): Promise<Uint8Array> {
  if ('content' in file) return new TextEncoder().encode(file.content);
  if ('base64' in file) return Buffer.from(file.base64, 'base64');
  const path = isAbsolute(file.local_path) ? file.local_path : join(folder, file.local_path);
  return readFile(path).catch((error: unknown) => {
    const thing = 'set-up step upload_file';
    if (!isFileFault(error)) throw taskError(thing, sentenceOf(error), 'provider');
    throw taskError(thing, `local_path '${file.local_path}': ${sentenceOf(error)}`);
  });
}

const FILE_FAULTS: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'ENAMETOOLONG'];

/** True if the path is wrong. A failed disk and too many open files are faults of this machine. */
const isFileFault = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && FILE_FAULTS.includes(error.code);
