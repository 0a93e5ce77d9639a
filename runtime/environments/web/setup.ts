// The set-up steps of web tasks, by name.

import { realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { SetupStep } from '../../core/task.ts';
import { functionOf, taskError } from '../task-function.ts';
import { isAllowedHost, splitHost } from './browser/allowed-hosts.ts';
import { isWithin } from './browser/served-files.ts';
import { miniwobStart } from './miniwob/episode.ts';
import { startMiniwob } from './miniwob-task.ts';
import { DEFAULT_START } from './page/stopped-clock.ts';
import {
  checked,
  evaluate,
  json,
  openPage,
  type TaskPage,
  taskCall,
  type WebTaskFunction,
  withoutDialog,
} from './task-page.ts';
import { PAGES_HOST } from './tasks/pages.ts';

const text = z.string().min(1);
const host = text.regex(/^[a-z0-9.-]+(:\d+)?$/i, 'give a host name, such as example.org');
/** Folders are served on port 80 only. */
const servedHost = text.regex(/^[a-z0-9.-]+$/i, 'give a host name without a port, such as shop.test');
const cookieUrl = text.regex(/^(page:|https?:\/\/)/, 'begin the address with page:, http:// or https://');
const texts = z.record(z.string(), z.string());
/** The name becomes the name of a file on this machine. */
const fileName = text
  .regex(/^[\w .-]+$/, 'use letters, digits, spaces, dots and dashes')
  .refine(name => !/^\.+$/.test(name));

const step = <Shape extends z.ZodRawShape>(
  type: string,
  shape: Shape,
  run: (task: TaskPage, parameters: z.infer<z.ZodObject<Shape>>) => Promise<void>,
): WebTaskFunction<void> => checked(`set-up step ${type}`, shape, run);

const STEPS: Readonly<Record<string, WebTaskFunction<void>>> = {
  /** Opens a page; `page:NAME` is one of the product's own. */
  open: step('open', { url: text }, (task, { url }) => openPage(task, urlOf(url))),
  /** Serves a folder below the task files as http://HOST/. */
  serve: step(
    'serve',
    { host: servedHost, folder: text },
    async ({ context, files }, { host: name, folder }) =>
      context.serve(name, await folderBelow(files, folder)),
  ),
  /** Hosts that pages may reach. */
  allow: step('allow', { hosts: z.array(host) }, async ({ context, allow }, { hosts }) => {
    const refused = hosts.find(each => !isAllowedBy(allow, each));
    if (refused !== undefined)
      throw taskError(
        'set-up step allow',
        `the settings do not allow ${json(refused)}. Add it to environments.web.allow, or remove it from the task.`,
      );
    context.allow(hosts);
  }),
  /** The time of pages that open after it passes only with actions. */
  clock: step(
    'clock',
    { step: z.int().min(1).max(60_000), start: z.iso.datetime().default(DEFAULT_START) },
    async (task, { step: stepMs, start }) => task.stopClock({ stepMs, startMs: Date.parse(start) }),
  ),
  cookies: step(
    'cookies',
    { cookies: z.array(z.strictObject({ name: text, value: z.string(), url: cookieUrl })).min(1) },
    async (task, { cookies }) => {
      const urls = cookies.map(cookie => ({ ...cookie, url: urlOf(cookie.url) }));
      const call = task.context.front.send('Network.setCookies', { cookies: urls });
      await taskCall('set-up step cookies', task, cookies, call);
    },
  ),
  /** Values in the storage of the page at `url`, which is opened. */
  storage: step(
    'storage',
    { url: text, local: texts.default({}), session: texts.default({}) },
    async (task, { url, local, session }) => {
      await openPage(task, urlOf(url));
      await evaluate(
        'set-up step storage',
        task,
        `for (const [area, values] of [[localStorage, ${json(local)}], [sessionStorage, ${json(session)}]])
          for (const name in values) area.setItem(name, values[name])`,
      );
    },
  ),
  /** Runs in the page that is open; a promise is awaited. */
  script: step('script', { script: text }, async (task, { script }) => {
    const value = task.page().evaluateInTime(`(async () => { ${script}\n })()`);
    const thing = 'set-up step script';
    await taskCall(thing, task, script, withoutDialog(thing, task, value));
  }),
  /** Files that a file chooser offers. */
  upload_file: step(
    'upload_file',
    { files: z.array(z.strictObject({ name: fileName, text: z.string() })).min(1) },
    async ({ uploads, folder }, { files }) => {
      for (const { name, text: content } of files) {
        const path = join(folder, name);
        await writeFile(path, content);
        uploads.set(name, path);
      }
    },
  ),
  miniwob: step('miniwob', miniwobStart.shape, startMiniwob),
};

export async function runSetupStep(task: TaskPage, { type, parameters }: SetupStep): Promise<void> {
  await functionOf(STEPS, type, 'set-up step')(task, parameters);
}

const urlOf = (url: string): string => url.replace(/^page:/, `http://${PAGES_HOST}/`);

/** A host without a port may be reached on all ports, so it needs an entry without a port. */
function isAllowedBy(allow: readonly string[], hostOfTask: string): boolean {
  const { host: name, port } = splitHost(hostOfTask);
  const entries = port === undefined ? allow.filter(entry => splitHost(entry).port === undefined) : allow;
  return isAllowedHost(entries, name, port ?? '');
}

/** A task of a stranger must not show other files of this machine to a page. */
async function folderBelow(files: string | undefined, folder: string): Promise<string> {
  const refuse = (why: string) => taskError('set-up step serve', `${json(folder)} ${why}`);
  if (files === undefined) throw refuse('needs a folder of task files. Set suite.files.');
  const [root, found] = await Promise.all([
    realpath(files),
    // Missing: refused below.
    realpath(join(files, folder)).catch(() => undefined),
  ]);
  if (found === undefined) throw refuse(`does not exist in ${files}. Create it, or correct the step.`);
  if (found === root || isWithin(root, found)) return found;
  throw refuse(`is outside of ${files}. Move the pages below the task files.`);
}
