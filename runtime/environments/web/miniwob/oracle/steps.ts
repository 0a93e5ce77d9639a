// Oracle scripts of the pages with several views: an inbox, a search engine, a tree, a phone book, cards and tickets.

import type { Action } from '../../../../core/action.ts';
import { centre, type Element } from '../../../../core/screen.ts';
import { click, clickAt, fill, type OracleView, type Script } from './view.ts';

/** No list of these pages is longer. */
const MAX_SCROLLS = 20;

/** Scrolls down until the element is visible. */
function* scrollTo(view: OracleView, find: () => Element | undefined): Generator<Action, Element> {
  for (let scrolls = 0; scrolls < MAX_SCROLLS && find() === undefined; scrolls++)
    yield { kind: 'scroll', at: { x: 70, y: 130 }, direction: 'down', notches: 3 };
  return view.require(find(), 'the element, after scrolling to the end');
}

function* inbox(view: OracleView, instruction: string): Generator<Action, void> {
  const [sender = '', order = ''] = view.read(instruction, /Find the email by (.+?) and (.+)$/);
  yield click(yield* scrollTo(view, () => view.find(sender)));
  if (order.startsWith('click')) {
    yield click(view.named(order.includes('star') ? 'star' : 'delete'));
    return;
  }
  const isReply = order.startsWith('reply');
  const [text = ''] = view.read(order, isReply ? /text "(.+)"/ : /email to (.+)\.$/);
  yield click(yield* scrollTo(view, () => view.find(isReply ? 'Reply' : 'Forward')));
  yield* fill(view.nth(view.fields, 0), text);
  yield click(view.named('send'));
}

const RESULTS_PER_PAGE = 3;

function* searchEngine(view: OracleView, instruction: string): Generator<Action, void> {
  const [text = '', place = ''] = view.read(
    instruction,
    /enter "(.+)" and press "Search".*the (\d)\w\w search/,
  );
  yield* fill(view.nth(view.fields, 0), text);
  yield click(view.named('Search', 'button'));
  const index = Number(place) - 1;
  const page = Math.floor(index / RESULTS_PER_PAGE);
  if (page > 0) yield click(view.named(String(page + 1)));
  const results = view.all('link').filter(({ name }) => /[A-Za-z]/.test(name));
  yield click(view.nth(results, index % RESULTS_PER_PAGE));
}

/** Opens closed folders from the top until the name is visible. A closed folder has a sign left of its name. */
function* tree(view: OracleView, instruction: string): Generator<Action, void> {
  const [name = ''] = view.read(instruction, /named "(.+)"/);
  const opened = new Set<string>();
  while (view.find(name) === undefined) {
    const signs = view.all('shape', 'button', 'image').filter(({ box }) => box.width < 20);
    const closed = signs.find(sign => {
      const label = labelOf(view, sign);
      return label !== undefined && !opened.has(label.name);
    });
    const sign = view.require(closed, `a closed folder above "${name}"`);
    opened.add(labelOf(view, sign)?.name ?? '');
    yield click(sign);
  }
  yield click(view.named(name));
}

const labelOf = (view: OracleView, sign: Element): Element | undefined =>
  view.elements.find(
    ({ role, box }) =>
      role === 'label' && box.x >= sign.box.x && Math.abs(centre(box).y - centre(sign.box).y) < 8,
  );

const CONTACT: Readonly<Record<string, RegExp>> = {
  phone: /^\d{3}-\d{3}-\d{4}$/,
  email: /@/,
  address: /^\d+ [A-Z]/,
};

function* phoneBook(view: OracleView, instruction: string): Generator<Action, void> {
  const [name = '', kind = ''] = view.read(instruction, /Find (.+) in the contact book.*their (\w+)/);
  for (let page = 1; page < 5 && view.find(name) === undefined; page++) yield click(view.named('>'));
  view.named(name);
  const value = view.elements.find(each => CONTACT[kind]?.test(each.name));
  const { box } = view.require(value, `a ${kind}`);
  // The last line of a long address starts at the left.
  yield clickAt({ x: box.x + 4, y: box.y + box.height - 4 });
}

/** Opens each card, remembers its number, and opens the greatest one again. */
function* greatestCard(view: OracleView): Generator<Action, void> {
  const numbers: number[] = [];
  const isNumber = ({ role, name }: Element): boolean => role === 'label' && /^\d+$/.test(name);
  const places = view.elements.filter(({ box }) => box.height > 50 && box.height < 70);
  const cards = [...places].sort((a, b) => a.box.x - b.box.x);
  for (const card of cards) {
    yield click(card);
    numbers.push(Number(view.require(view.elements.find(isNumber), 'a number on the card').name));
  }
  const greatest = numbers.indexOf(Math.max(...numbers));
  yield click(view.nth(cards, greatest));
  yield click(view.named('Submit', 'button'));
}

function* generateNumber(view: OracleView, instruction: string): Generator<Action, void> {
  const [, bound] = /than (\d+)/.exec(instruction) ?? [];
  const fits = (number: number): boolean => {
    if (instruction.includes('less')) return number < Number(bound);
    if (instruction.includes('greater')) return number > Number(bound);
    return number % 2 === (instruction.includes('odd') ? 1 : 0);
  };
  const number = (): number =>
    Number(view.elements.find(({ name }) => /^\d+$/.test(name))?.name ?? Number.NaN);
  while (!fits(number())) yield click(view.named('Generate', 'button'));
  yield click(view.named('Submit', 'button'));
}

function* buyTicket(view: OracleView, instruction: string): Generator<Action, void> {
  const [order = '', measure] = view.read(
    instruction,
    /the (cheapest|most expensive|shortest|longest) (\w+)/,
  );
  const values = (pattern: RegExp): readonly number[] =>
    view.elements.flatMap(({ name }) => {
      const [, one = '', more = '0'] = pattern.exec(name) ?? [];
      return one === '' ? [] : [Number(one) * 60 + Number(more)];
    });
  const all = values(measure === 'duration' ? /^(\d+)h (\d+)m$/ : /^Book for \$(\d+)$/);
  const best = ['cheapest', 'shortest'].includes(order) ? Math.min(...all) : Math.max(...all);
  const buttons = view.all('button').filter(({ name }) => name.startsWith('Book for'));
  yield click(view.nth(buttons, all.indexOf(best)));
}

/** The page draws this list itself, and shows two of its options at a time. */
function* dropdownAndButton(view: OracleView, instruction: string): Generator<Action, void> {
  const [option = '', button = ''] = view.read(instruction, /Choose (.+) from the dropdown.*"(\w+)"/);
  yield click(view.nth(view.all('button', 'label', 'dropdown'), 0));
  yield click(yield* scrollTo(view, () => view.find(option)));
  yield click(view.named(button, 'button'));
}

export const STEPS: Readonly<Record<string, Script>> = {
  'email-inbox': inbox,
  'email-inbox-delete': inbox,
  'email-inbox-forward': inbox,
  'email-inbox-important': inbox,
  'email-inbox-noscroll': inbox,
  'email-inbox-reply': inbox,
  'email-inbox-star-reply': inbox,
  'search-engine': searchEngine,
  'navigate-tree': tree,
  'form-sequence-3': dropdownAndButton,
  'phone-book': phoneBook,
  'find-greatest': greatestCard,
  'generate-number': generateNumber,
  'buy-ticket': buyTicket,
};
