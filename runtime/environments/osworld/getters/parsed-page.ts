/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Expressions that run in a page and read the elements that a task names.

import * as z from 'zod';

const names = z.record(z.string(), z.string()).default({});
const ranked = z.record(z.string(), z.record(z.string(), z.string())).default({});
const listed = z.record(z.string(), z.array(z.string())).default({});

/** Which elements of a page a task reads, and under which keys it stores their texts. */
const shape = {
  category: z.enum(['class', 'label', 'xpath', 'input', 'class&url']),
  class_singleObject: names,
  /** By class and rank; with `class&url` a list of texts. */
  class_multiObject: z.union([ranked, listed]),
  class_multiObject_child: ranked,
  class_multiObject_only_child: ranked,
  class_multiObject_search_exist: listed,
  class_multiObject_li: listed,
  labelObject: names,
  xpathObject: names,
  inputObject: names,
  url_include_expected: z.array(z.string()).default([]),
  url_include_expected_multichoice: names,
};

type Wanted = z.infer<z.ZodObject<typeof shape>>;

/** Runs in the page, so it refers to nothing outside. Elements that are not there have an empty text. */
const read = (wanted: Wanted): Readonly<Record<string, unknown>> => {
  const values: Record<string, unknown> = {};
  const trimmed = (node: Node | null | undefined) => (node?.textContent ?? '').trim();
  // As in OSWorld, a selector or a path that the browser rejects finds nothing.
  const all = (selector: string) => {
    try {
      return [...document.querySelectorAll(selector)];
    } catch {
      return [];
    }
  };
  const atPath = (path: string) => {
    try {
      return document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE).singleNodeValue;
    } catch {
      return null;
    }
  };
  const firstIn = (selector: string, inner: string) =>
    all(selector).flatMap(each => each.querySelector(inner) ?? []);
  const contains = (element: Element, label: string) =>
    trimmed(element).toLowerCase().includes(label.toLowerCase());
  const store = (
    groups: Record<string, Record<string, string> | string[]>,
    texts: (name: string) => string[],
  ) => {
    for (const [name, keys] of Object.entries(groups)) {
      const found = texts(name);
      for (const [rank, key] of Object.entries(keys)) values[key] = found[Number(rank)] ?? '';
    }
  };
  const compare = (
    groups: Record<string, string[] | Record<string, string>>,
    texts: (name: string) => string[],
  ) => {
    for (const [name, expected] of Object.entries(groups)) {
      const list = Object.values(expected).map(each => each.toLowerCase());
      const found = texts(name).map(each => each.toLowerCase());
      for (const each of list) if (found.includes(each)) values[each] = true;
      values['is_other_exist'] =
        values['is_other_exist'] === true || found.some(each => list.every(item => !item.includes(each)));
    }
  };
  if (wanted.category === 'class') {
    store(wanted.class_multiObject, name => all(`.${name}`).map(trimmed));
    store(wanted.class_multiObject_child, name =>
      [...(all(`.${name}`)[0]?.childNodes ?? [])]
        .filter(node => node.nodeType === Node.TEXT_NODE)
        .map(trimmed)
        .filter(text => text !== ''),
    );
    store(wanted.class_multiObject_only_child, name => firstIn(`.${name}`, 'h3').map(trimmed));
    for (const [name, expected] of Object.entries(wanted.class_multiObject_search_exist)) {
      const texts = all(`.${name}`).map(trimmed);
      for (const each of expected)
        values[each] =
          each === 'is_other_exist'
            ? values[each] === true || texts.some(text => !expected.includes(text))
            : texts.includes(each);
    }
    for (const [name, key] of Object.entries(wanted.class_singleObject))
      values[key] = trimmed(all(`.${name}`)[0]);
  }
  if (wanted.category === 'label')
    for (const [label, key] of Object.entries(wanted.labelObject))
      values[key] = trimmed(
        all('body *').find(
          each =>
            !each.matches('script, style, noscript') &&
            contains(each, label) &&
            ![...each.children].some(child => contains(child, label)),
        ),
      );
  if (wanted.category === 'xpath')
    for (const [path, key] of Object.entries(wanted.xpathObject)) values[key] = trimmed(atPath(path));
  if (wanted.category === 'input')
    for (const [path, key] of Object.entries(wanted.inputObject)) {
      const field = atPath(path);
      values[key] = field !== null && 'value' in field ? String(field.value).trim() : '';
    }
  if (wanted.category === 'class&url') {
    const url = location.href.toLowerCase();
    compare(wanted.class_multiObject, name => all(`.${name}`).map(trimmed));
    compare(wanted.class_multiObject_li, name => firstIn(`.${name} li.catAllProducts`, 'span').map(trimmed));
    for (const each of wanted.url_include_expected)
      values[each.toLowerCase()] ??= url.includes(each.toLowerCase());
    for (const [part, key] of Object.entries(wanted.url_include_expected_multichoice))
      values[key.toLowerCase()] ??= url.includes(part.toLowerCase());
  }
  return values;
};

/** An element that appears later than this is not there. */
const APPEARS_MS = 10_000;

/** Waits for an element, then does something with it. */
const whenThere = (selector: string, action: string): string => `new Promise((resolve, reject) => {
  const end = Date.now() + ${APPEARS_MS};
  const look = () => {
    const element = document.querySelector(${JSON.stringify(selector)});
    if (element !== null) resolve((${action})(element));
    else if (Date.now() > end) reject(new Error('no such element'));
    else setTimeout(look, 100);
  };
  look();
})`;

export interface WantedInfo {
  readonly action: 'inner_text' | 'attribute' | 'click_and_inner_text' | 'click_and_attribute';
  /** With clicks, the elements to click and then the one to read. */
  readonly selector: string | readonly string[];
  readonly attribute?: string | undefined;
}

export const parsePage = {
  shape,
  expression: (wanted: Wanted): string => `(${read})(${JSON.stringify(wanted)})`,
  /** The steps that read one value: each runs when the page of the last has loaded. */
  steps({ action, selector, attribute }: WantedInfo): readonly string[] {
    const selectors = typeof selector === 'string' ? [selector] : selector;
    const last = selectors.at(-1) ?? '';
    const name = JSON.stringify(attribute ?? '');
    const value = action.endsWith('attribute')
      ? `element => element.getAttribute(${name})`
      : 'element => element.innerText';
    return [
      ...selectors.slice(0, -1).map(each => whenThere(each, 'element => element.click()')),
      whenThere(last, value),
    ];
  },
};
