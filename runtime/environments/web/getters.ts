// The getters of web tasks, by name: what evaluators can read from a page.

import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Getter } from '../../core/task.ts';
import { functionOf, taskError } from '../task-function.ts';
import { checked, json, type TaskPage, type WebTaskFunction } from './task-page.ts';

const text = z.string().min(1);

/** A longer file is no document that a task compares. */
const MAX_DOWNLOAD_CHARACTERS = 1_000_000;

const GETTERS: Readonly<Record<string, WebTaskFunction<unknown>>> = {
  url: checked('getter url', {}, ({ page }) => page().evaluate('location.href')),
  /** One entry per element that matches; with `count`, their number. Other properties than those below are attributes. */
  dom: checked(
    'getter dom',
    { selector: text, property: text.default('text') },
    ({ page }, { selector, property }) =>
      page().evaluate(`(() => {
        const found = [...document.querySelectorAll(${json(selector)})];
        const property = ${json(property)};
        if (property === 'count') return found.length;
        const read = {
          text: element => (element.innerText ?? element.textContent).replace(/\\s+/g, ' ').trim(),
          html: element => element.innerHTML,
          value: element => element.value ?? null,
          checked: element => element.checked ?? null,
        }[property];
        return found.map(read ?? (element => element.getAttribute(property)));
      })()`),
  ),
  /** null if there is no such key, or no storage. */
  storage: checked(
    'getter storage',
    { key: text, area: z.enum(['local', 'session']).default('local') },
    (task, { key, area }) => valueHere(task, `${area}Storage.getItem(${json(key)})`),
  ),
  /** The value of a cookie that the page in front receives; null if there is none. */
  cookie: checked('getter cookie', { name: text }, async ({ context }, { name }) => {
    const { cookies } = await context.front.send('Network.getCookies', {});
    return cookies.find(each => each.name === name)?.value ?? null;
  }),
  /** The texts that pages wrote to the console, or those that contain `match`. */
  console: checked('getter console', { match: text.optional() }, async ({ context }, { match }) =>
    context
      .console()
      .map(each => each.text)
      .filter(each => match === undefined || each.includes(match)),
  ),
  /** The value of an expression in the page, as JSON; null if it fails on a page of another site than those that the task opened. */
  script: checked('getter script', { script: text }, (task, { script }) => valueHere(task, `(${script})`)),
  /** The text of a downloaded file; null if there is none. */
  download: checked('getter download', { name: text }, async ({ context }, { name }) => {
    const found = (await context.downloads()).findLast(each => each.name === name && each.complete);
    return found === undefined
      ? null
      : (await readFile(found.path, 'utf8')).slice(0, MAX_DOWNLOAD_CHARACTERS);
  }),
  /** From 0 to 1. */
  miniwob_reward: checked('getter miniwob_reward', {}, async ({ rules }) => {
    if (rules.score !== undefined) return rules.score();
    throw taskError('getter miniwob_reward', "no page of MiniWoB++ is open. Add the set-up step 'miniwob'.");
  }),
};

/** null if the expression fails because the agent is on a page that the task did not open, such as one that could not be loaded. */
async function valueHere({ page, origins }: TaskPage, expression: string): Promise<unknown> {
  try {
    return await page().evaluate(expression);
  } catch (error) {
    if (origins.has(String(await page().evaluate('location.origin')))) throw error;
    return null;
  }
}

export async function runGetter(
  task: Parameters<WebTaskFunction<unknown>>[0],
  getter: Getter,
): Promise<unknown> {
  const { type, ...parameters } = getter;
  return functionOf(GETTERS, type, 'getter')(task, parameters);
}
