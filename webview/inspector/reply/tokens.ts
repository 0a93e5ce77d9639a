// The tokens of a reply as the page shows them: visible white space, whole characters, and the level of surprise. Pure.

import type { ReplyDetail } from '../../../runtime/protocol/daemon/reply.ts';

export type ReplyToken = ReplyDetail['tokens'][number];

export interface ShownToken {
  readonly token: ReplyToken;
  /** The characters on the page. A character that is split over tokens is on the first of them; the others have no text. */
  readonly text: string;
  /** The token is a part of this character. */
  readonly partOf?: string;
  /** The reply does not contain the token: a special token, such as the end token. */
  readonly isSpecial: boolean;
  /** Absent if the server reports no probability. */
  readonly level?: SurpriseLevel;
}

/** From 0, the expected token, to 4. */
export type SurpriseLevel = 0 | 1 | 2 | 3 | 4;

/** The least probability of each level, and its label. */
export const SURPRISE_LEVELS: readonly {
  readonly level: SurpriseLevel;
  readonly from: number;
  readonly label: string;
}[] = [
  { level: 0, from: 0.9, label: '≥ 90 %' },
  { level: 1, from: 0.5, label: '≥ 50 %' },
  { level: 2, from: 0.1, label: '≥ 10 %' },
  { level: 3, from: 0.01, label: '≥ 1 %' },
  { level: 4, from: 0, label: '< 1 %' },
];

export const surpriseLevel = (probability: number): SurpriseLevel =>
  SURPRISE_LEVELS.find(({ from }) => probability >= from)?.level ?? 4;

/** Whether the tokens can be coloured. */
export const hasProbabilities = ({ tokens }: Pick<ReplyDetail, 'tokens'>): boolean =>
  tokens.some(({ probability }) => probability !== undefined);

/** A server prints a part of a character as this one. */
const PART = '\uFFFD';
const SPECIAL = /^(?:<\|[^|<>]{1,40}\|>|<\/?s>|<(?:bos|eos|pad)>|<(?:start|end)_of_turn>|<\/?think>)$/;

/** Tokens that do not spell the reply are shown as the server prints them. */
export function shownTokens({ tokens, raw }: Pick<ReplyDetail, 'tokens' | 'raw'>): readonly ShownToken[] {
  const parts = partsOf(tokens);
  const texts = new Alignment(parts, raw).texts() ?? parts.map(({ spelled }) => spelled);
  return parts.flatMap(({ tokens: own, spelled, isSplit }, index) => {
    const text = texts[index] ?? '';
    const isWhole = isSplit && text !== spelled;
    return own.map((token, part) => ({
      token,
      text: isWhole ? (part === 0 ? text : '') : token.text,
      ...(isWhole && { partOf: text }),
      isSpecial: SPECIAL.test(token.text) && (text === '' || !raw.includes(token.text)),
      ...(token.probability !== undefined && { level: surpriseLevel(token.probability) }),
    }));
  });
}

/** One token, or consecutive tokens that contain parts of characters. */
interface TokenPart {
  readonly tokens: readonly ReplyToken[];
  readonly spelled: string;
  readonly isSplit: boolean;
}

function partsOf(tokens: readonly ReplyToken[]): readonly TokenPart[] {
  const parts: TokenPart[] = [];
  for (const token of tokens) {
    const isSplit = token.text.includes(PART);
    const before = isSplit ? parts.at(-1) : undefined;
    if (before?.isSplit !== true) parts.push({ tokens: [token], spelled: token.text, isSplit });
    else
      parts.splice(-1, 1, {
        tokens: [...before.tokens, token],
        spelled: before.spelled + token.text,
        isSplit,
      });
  }
  return parts;
}

/** The search has one level of recursion for each. */
const MAX_SPLIT_PARTS = 1000;

/** Finds the text of each part so that all together spell the reply. A special token that the reply lacks has no text. */
class Alignment {
  readonly #parts: readonly TokenPart[];
  readonly #raw: string;
  /** Positions from which the rest cannot be spelled, as 'part at'. */
  readonly #failed = new Set<string>();

  constructor(parts: readonly TokenPart[], raw: string) {
    this.#parts = parts;
    this.#raw = raw;
  }

  texts(): readonly string[] | undefined {
    const splits = this.#parts.filter(({ isSplit }) => isSplit).length;
    return splits > MAX_SPLIT_PARTS ? undefined : this.#from(0, 0);
  }

  /** The texts of the parts from `first`, which begin at `at`. Only split parts have several candidates. */
  #from(first: number, at: number): readonly string[] | undefined {
    const texts: string[] = [];
    let place = at;
    for (let index = first; index < this.#parts.length; index++) {
      const part = this.#parts[index];
      if (part === undefined) return undefined;
      if (part.isSplit) {
        const rest = this.#afterSplit(part, index, place);
        return rest === undefined ? undefined : [...texts, ...rest];
      }
      const text = this.#plainText(part.spelled, place);
      if (text === undefined) return undefined;
      texts.push(text);
      place += text.length;
    }
    return this.#raw.slice(place).trim() === '' ? texts : undefined;
  }

  #afterSplit({ spelled }: TokenPart, index: number, at: number): readonly string[] | undefined {
    const key = `${index} ${at}`;
    if (this.#failed.has(key)) return undefined;
    let text = '';
    // Each printed part stands for at most one character.
    for (const character of [...this.#raw.slice(at, at + 2 * spelled.length)].slice(0, spelled.length)) {
      text += character;
      const rest = fits(text, spelled) ? this.#from(index + 1, at + text.length) : undefined;
      if (rest !== undefined) return [text, ...rest];
    }
    this.#failed.add(key);
    return undefined;
  }

  #plainText(spelled: string, at: number): string | undefined {
    if (this.#raw.startsWith(spelled, at)) return spelled;
    if (SPECIAL.test(spelled)) return '';
    // Servers remove white space at both ends of a reply.
    const trimmed = at === 0 ? spelled.trimStart() : spelled.trimEnd();
    const isAtEdge = at === 0 || at + trimmed.length === this.#raw.length;
    return isAtEdge && this.#raw.startsWith(trimmed, at) ? trimmed : undefined;
  }
}

/** Whether the text begins and ends as the printed parts do. */
const fits = (text: string, spelled: string): boolean =>
  text.startsWith(spelled.slice(0, spelled.indexOf(PART))) &&
  text.endsWith(spelled.slice(spelled.lastIndexOf(PART) + 1));

const NAMES: Readonly<Record<string, string>> = {
  '\n': '⏎',
  '\r': '␍',
  '\t': '⇥',
  '\u00a0': '⍽',
  ' ': '␣',
};

/** For labels: the text with visible white space. */
export const visibleText = (text: string): string =>
  text === '' ? '(no text)' : text.replaceAll(/[\n\r\t\u00a0]|^ | $|(?<= ) /g, each => NAMES[each] ?? each);

/** The name of the token for a heading and for screen readers. */
export function tokenName({ token, text, partOf, isSpecial }: ShownToken): string {
  if (isSpecial) return `special token ${token.text}`;
  if (partOf !== undefined) return `part of “${partOf}”`;
  if (/^\n+$/.test(text)) return text.length === 1 ? 'line break' : `${text.length} line breaks`;
  if (/^ +$/.test(text)) return text.length === 1 ? 'space' : `${text.length} spaces`;
  if (text.includes(PART)) return 'part of a character';
  return `“${visibleText(text)}”`;
}
