// Getters of the open tabs: their addresses, and what their pages show.

import * as z from 'zod';
import { splitUrl } from '../../../tasks/formats/python/url.ts';
import { attribute, type Document, descendants, parseXml, XmlError } from '../../../tasks/formats/xml.ts';
import { taskError } from '../../task-function.ts';
import { checked, flag, type OsworldFunction, type TaskRun, text } from '../task-run.ts';
import { parsePage } from './parsed-page.ts';

const ADDRESS_BAR = 'Address and search bar';
const BROWSERS = ['Google Chrome', 'Chromium'];

const prefix = { goto_prefix: z.string().default('https://') };

/** The address of the tab in front, as the address bar shows it after the prefix; null without a browser. */
async function activeUrl({ machine }: TaskRun, goto: string): Promise<string | null> {
  const tree = treeIn(await machine.accessibilityTree());
  const bars = descendants(tree, 'application')
    .filter(application => BROWSERS.includes(attribute(application, 'name') ?? ''))
    .flatMap(application => descendants(application, 'entry'))
    .filter(entry => attribute(entry, 'name') === ADDRESS_BAR);
  if ((bars.at(-1)?.textContent ?? '') === '') return null;
  return `${goto}${bars[0]?.textContent ?? ''}`;
}

function treeIn(xml: string): Document {
  try {
    return parseXml(xml);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    const message = `the guest sent no tree: ${error.message} Check the server in the guest.`;
    throw taskError('accessibility tree', message, 'environment');
  }
}

/** A getter that computes its value from the active address. */
const ofActiveUrl = <Shape extends z.ZodRawShape>(
  type: string,
  shape: Shape,
  read: (url: string, parameters: z.infer<z.ZodObject<Shape>>, run: TaskRun) => Promise<unknown>,
): OsworldFunction<unknown> =>
  checked(`getter ${type}`, { ...prefix, ...shape }, async (run, parameters) => {
    const url = await activeUrl(run, prefixOf.parse(parameters).goto_prefix);
    return url === null ? null : read(url, z.object(shape).parse(parameters), run);
  });

const prefixOf = z.object(prefix);

/** Two spellings of one address: with or without a final slash, encoded or not. */
const sameAddress = (one: string) => (other: string) => plain(one) === plain(other);

function plain(url: string): string {
  try {
    return decodeURIComponent(url).replace(/\/+$/, '');
  } catch {
    return url.replace(/\/+$/, '');
  }
}

/** The title, the address and the source of the loaded page. */
const PAGE = '({ title: document.title, url: location.href, content: document.documentElement.outerHTML })';

const infos = z.array(
  z.object({
    action: z
      .enum(['inner_text', 'attribute', 'click_and_inner_text', 'click_and_attribute'])
      .default('inner_text'),
    selector: z.union([text, z.array(text).nonempty()]),
    attribute: text.optional(),
  }),
);

export const TAB_GETTERS: Readonly<Record<string, OsworldFunction<unknown>>> = {
  active_url_from_accessTree: checked(
    'getter active_url_from_accessTree',
    prefix,
    (run, { goto_prefix: goto }) => activeUrl(run, goto),
  ),
  /** Loads the address of the tab in front once more; null if it cannot be loaded. */
  active_tab_info: ofActiveUrl('active_tab_info', {}, async (url, _, { machine: { browser } }) => {
    try {
      return await browser.visit(url, [PAGE]);
    } catch (error) {
      // The agent chose the address; a browser that has ended is no fault of it.
      if ((await browser.tabs()).length === 0) throw error;
      return null;
    }
  }),
  page_info: checked('getter page_info', { url: text }, ({ machine }, { url }) =>
    machine.browser.visit(url, [PAGE]),
  ),
  open_tabs_info: checked('getter open_tabs_info', {}, ({ machine }) => machine.browser.tabs()),
  /** Values of the query by name; the first of several. */
  active_tab_url_parse: ofActiveUrl(
    'active_tab_url_parse',
    {
      parse_keys: z.array(text),
      replace: z.record(z.string(), z.string()).default({}),
      split_list: flag,
    },
    async (url, { parse_keys: keys, replace, split_list: isSplit }) => {
      // The address bar holds any text, such as a search that the agent only typed.
      const query = new URLSearchParams(splitUrl(url)?.query ?? '');
      return Object.fromEntries(
        keys.map(key => {
          const value = query.get(key) ?? '';
          return [replace[key] ?? key, isSplit ? value.split(',') : value];
        }),
      );
    },
  ),
  /** A part of the address between two slashes. */
  url_dashPart: ofActiveUrl(
    'url_dashPart',
    {
      partIndex: z.coerce.number().int(),
      needDeleteId: flag,
      returnType: z.enum(['string', 'json']),
      key: text.optional(),
    },
    async (url, { partIndex, needDeleteId, returnType, key }) => {
      const part = url.split('/').at(partIndex);
      if (part === undefined) return null;
      const value = needDeleteId ? (part.split('?')[0] ?? '') : part;
      return returnType === 'string' ? value : { [key ?? '']: value };
    },
  ),
  /** Values of elements of the page in front. */
  active_tab_html_parse: ofActiveUrl(
    'active_tab_html_parse',
    parsePage.shape,
    async (url, parameters, run) =>
      (await run.machine.browser.evaluate(sameAddress(url), parsePage.expression(parameters))) ?? {},
  ),
  /** Values of elements of an address; the `backups` of the task if the page cannot be read. */
  info_from_website: checked(
    'getter info_from_website',
    { url: text, infos, backups: z.unknown() },
    async ({ machine }, { url, infos: wanted, backups }) => {
      try {
        const found: unknown[] = [];
        for (const info of wanted) found.push(await machine.browser.visit(url, parsePage.steps(info)));
        return found;
      } catch {
        return backups ?? null;
      }
    },
  ),
  pdf_from_url: checked(
    'getter pdf_from_url',
    { path: text, dest: text },
    async ({ machine }, { path, dest }) => ({
      name: dest,
      bytes: await machine.browser.printPdf(path),
    }),
  ),
};
