// The tooltip of a token: its probability, its surprise, its entropy and the alternatives.

import { make } from '../../shared/dom.ts';
import { formatNats, formatProbability } from '../../shared/labels.ts';
import { type ReplyToken, type ShownToken, tokenName, visibleText } from './tokens.ts';

const MAX_ALTERNATIVES = 6;
/** Between the token and its tooltip. */
const GAP_PX = 5;

export class TokenTip {
  readonly element = make('div', { class: 'token-tip' });
  readonly #room: HTMLElement;

  /** The tooltip stays within the width of `room`, its positioned parent. */
  constructor(room: HTMLElement, id: string) {
    this.#room = room;
    this.element.id = id;
    this.element.setAttribute('role', 'tooltip');
    this.element.hidden = true;
    room.append(this.element);
  }

  get isShown(): boolean {
    return !this.element.hidden;
  }

  show(shown: ShownToken, anchor: HTMLElement): void {
    const { token } = shown;
    this.element.replaceChildren(
      make('p', { class: 'token-name', text: tokenName(shown) }),
      numberList(token),
      ...alternativesOf(token),
    );
    this.element.hidden = false;
    this.#place(anchor);
  }

  hide(): void {
    this.element.hidden = true;
  }

  /** Below the first line of the token; above it if the window ends below. */
  #place(anchor: HTMLElement): void {
    const room = this.#room.getBoundingClientRect();
    const [line = anchor.getBoundingClientRect()] = anchor.getClientRects();
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const left = Math.max(0, Math.min(line.left - room.left, room.width - width));
    const isAbove = line.bottom + GAP_PX + height > window.innerHeight && line.top - GAP_PX - height > 0;
    const top = isAbove ? line.top - GAP_PX - height : line.bottom + GAP_PX;
    Object.assign(this.element.style, { left: `${left}px`, top: `${top - room.top}px` });
  }
}

type NamedNumber = readonly [name: string, value: string];

const numbersOf = ({ probability, entropy }: ReplyToken): readonly NamedNumber[] => [
  ['probability', probability === undefined ? 'not reported' : formatProbability(probability)],
  ...(probability === undefined || probability === 0
    ? []
    : [['surprise', formatNats(Math.abs(Math.log(probability)))] as const]),
  ...(entropy === undefined ? [] : [['entropy', formatNats(entropy)] as const]),
];

function numberList(token: ReplyToken): HTMLElement {
  const list = make('dl', { class: 'facts' });
  for (const [name, value] of numbersOf(token))
    list.append(make('div', {}, make('dt', { text: name }), make('dd', { text: value })));
  return list;
}

function alternativesOf({ text, alternatives = [] }: ReplyToken): readonly HTMLElement[] {
  if (alternatives.length === 0) return [];
  const list = make('ol');
  for (const each of alternatives.slice(0, MAX_ALTERNATIVES)) {
    const fill = make('span', { class: 'fill' });
    fill.style.width = `${100 * each.probability}%`;
    const isChosen = each.text === text;
    const item = make(
      'li',
      {},
      fill,
      make('span', { class: 'label', text: visibleText(each.text) }),
      make('span', { class: 'share', text: formatProbability(each.probability) }),
    );
    if (isChosen) {
      item.dataset['chosen'] = 'true';
      item.append(make('span', { class: 'hidden', text: ', chosen' }));
    }
    list.append(item);
  }
  return [make('div', { class: 'decision' }, list)];
}

/** For screen readers, which read it when the token has the focus. */
export function tokenLabel(shown: ShownToken): string {
  const { alternatives = [], text } = shown.token;
  const others = alternatives
    .filter(each => each.text !== text)
    .slice(0, 3)
    .map(each => `“${visibleText(each.text)}” ${formatProbability(each.probability)}`);
  const parts = [tokenName(shown), ...numbersOf(shown.token).map(([name, value]) => `${name} ${value}`)];
  return `${parts.join(', ')}${others.length === 0 ? '' : `; alternatives: ${others.join(', ')}`}`;
}
