// The getters of web tasks, by name: what evaluators can read from a page.

import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { failureOf } from '../../core/failure.ts';
import type { Getter } from '../../core/task.ts';
import { Unreadable } from '../../tasks/evaluate.ts';
import { functionOf, taskError } from '../task-function.ts';
import { checked, evaluate, json, type TaskPage, taskCall, type WebTaskFunction } from './task-page.ts';

const text = z.string().min(1);

/** A longer file is no document that a task compares. */
const MAX_DOWNLOAD_CHARACTERS = 1_000_000;

const GETTERS: Readonly<Record<string, WebTaskFunction<unknown>>> = {
  url: checked('getter url', {}, task => evaluate('getter url', task, 'location.href')),
  /** One entry per element that matches; with `count`, their number. Other properties than those below are attributes. */
  dom: checked(
    'getter dom',
    { selector: text, property: text.default('text') },
    async (task, { selector, property }) => {
      await requireLoaded('getter dom', task);
      const expression = `(() => {
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
      })()`;
      return evaluate('getter dom', task, expression);
    },
  ),
  /** null if there is no such key. */
  storage: checked(
    'getter storage',
    { key: text, area: z.enum(['local', 'session']).default('local') },
    (task, { key, area }) => valueHere(task, 'getter storage', `${area}Storage.getItem(${json(key)})`),
  ),
  /** The value of a cookie that the page in front receives; null if there is none. */
  cookie: checked('getter cookie', { name: text }, async (task, { name }) => {
    await requireLoaded('getter cookie', task);
    const { cookies } = await task.context.front.send('Network.getCookies', {});
    return cookies.find(each => each.name === name)?.value ?? null;
  }),
  /** The texts that pages wrote to the console, or those that contain `match`. */
  console: checked('getter console', { match: text.optional() }, async ({ context }, { match }) =>
    context
      .console()
      .map(each => each.text)
      .filter(each => match === undefined || each.includes(match)),
  ),
  /** The value of an expression in the page, as JSON. */
  script: checked('getter script', { script: text }, (task, { script }) =>
    valueHere(task, 'getter script', `(${script})`),
  ),
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

/** An expression that fails is an error of the task, unless the agent is on a site that the task did not open. */
async function valueHere(task: TaskPage, thing: string, expression: string): Promise<unknown> {
  const origin = await requireLoaded(thing, task);
  try {
    return await taskCall(thing, task, expression, evaluate(thing, task, expression));
  } catch (error) {
    if (task.origins.has(origin) || failureOf(error, 'environment', thing).boundary !== 'task') throw error;
    throw new Unreadable(LEFT);
  }
}

const LEFT = 'the agent left the pages of the task';

/**
 * Returns the origin of the page. In place of a page that cannot be loaded, the browser shows its own error page. A task that expects a
 * missing value would be solved there.
 */
async function requireLoaded(thing: string, task: TaskPage): Promise<string> {
  const place = await evaluate(thing, task, "location.protocol === 'chrome-error:' ? null : location.origin");
  if (place === null) throw new Unreadable(LEFT);
  return String(place);
}

/** For people: what cannot be read is null. */
export async function unlessUnreadable(value: Promise<unknown>): Promise<unknown> {
  try {
    return await value;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

export async function runGetter(
  task: Parameters<WebTaskFunction<unknown>>[0],
  getter: Getter,
): Promise<unknown> {
  const { type, ...parameters } = getter;
  return functionOf(GETTERS, type, 'getter')(task, parameters);
}
