// Words an instruction in another way: with other words, and with a polite beginning. Tests have words and beginnings that training never
// has. Texts to copy (quotations, names, numbers, addresses) stay as they are. Pure.

import { capital } from '../../../agents/compact/word-tokenizer.ts';
import { oneOf } from '../../../core/chance.ts';
import type { Random } from '../../../core/rng.ts';

export const PHRASINGS = ['fixed', 'varied'] as const;
export type Phrasings = (typeof PHRASINGS)[number];

/** Words with one meaning. Those of training contain the word itself; tests have all of them. */
interface Synonyms {
  readonly word: string;
  readonly train: readonly [string, ...string[]];
  readonly test: readonly string[];
  /** Only the first word of a sentence (a verb), or only others (a noun): elsewhere it has another meaning. */
  readonly only?: 'first' | 'inside';
  /** Words behind it with which it has another meaning. */
  readonly not?: readonly string[];
}

const SYNONYMS: readonly Synonyms[] = [
  { word: 'delete', train: ['delete', 'remove'], test: ['erase'] },
  { word: 'remove', train: ['remove', 'delete'], test: ['erase'], not: ['it'] },
  { word: 'create', train: ['create', 'make'], test: ['set up'] },
  { word: 'write', train: ['write', 'type'], test: ['record'], not: ['to'] },
  { word: 'change', train: ['change', 'alter'], test: ['adjust'] },
  { word: 'move', train: ['move', 'shift'], test: ['transfer'] },
  { word: 'copy', train: ['copy', 'duplicate'], test: ['replicate'], only: 'first' },
  { word: 'rename', train: ['rename', 'retitle'], test: ['relabel'] },
  { word: 'find', train: ['find', 'locate'], test: ['search for'], not: ['out'] },
  { word: 'save', train: ['save', 'store'], test: ['preserve'] },
  { word: 'mark', train: ['mark', 'flag'], test: ['tag'] },
  { word: 'put', train: ['put', 'place'], test: ['set'], not: ['off'] },
  { word: 'work out', train: ['work out', 'compute'], test: ['determine'] },
  { word: 'show', train: ['show', 'display'], test: ['present'], only: 'first' },
  { word: 'let', train: ['let', 'have'], test: ['make'], only: 'first' },
  { word: 'choose', train: ['choose', 'pick'], test: ['select'] },
  { word: 'answer', train: ['answer', 'reply to'], test: ['respond to'], only: 'first' },
  { word: 'look up', train: ['look up', 'check'], test: ['consult'] },
  { word: 'connect to', train: ['connect to', 'join'], test: ['log in to'] },
  { word: 'mail', train: ['mail', 'email'], test: ['e-mail'] },
  { word: 'mails', train: ['mails', 'emails'], test: ['e-mails'] },
  { word: 'note', train: ['note', 'memo'], test: ['jotting'], only: 'inside' },
  { word: 'folder', train: ['folder', 'directory'], test: ['subfolder'] },
  { word: 'calendar', train: ['calendar', 'agenda'], test: ['diary'] },
  { word: 'trash', train: ['trash', 'bin'], test: ['rubbish'] },
  { word: 'my contacts', train: ['my contacts', 'my address book'], test: ['my address list'] },
  { word: 'phone number', train: ['phone number', 'telephone number'], test: ['contact number'] },
  { word: 'company', train: ['company', 'firm'], test: ['employer'] },
  { word: 'result', train: ['result', 'outcome'], test: ['total'] },
  { word: 'text', train: ['text', 'content'], test: ['wording'] },
  { word: 'theme', train: ['theme', 'look'], test: ['appearance'] },
  { word: 'alert sound', train: ['alert sound', 'alarm sound'], test: ['warning sound'] },
  { word: 'device', train: ['device', 'computer'], test: ['machine'] },
  { word: 'events', train: ['events', 'appointments'], test: ['entries'] },
];

/** Before a request, whose first letter becomes small. */
const BEFORE_VERB = {
  train: ['', 'Please ', 'I want you to ', 'Your task is to ', 'Now '],
  test: ['Kindly ', 'I would like you to ', 'Be so kind as to ', 'What I need: '],
} as const;
/** Before other sentences, which stay as they are. */
const BEFORE_OTHERS = {
  train: ['', 'Here is a task. ', 'Listen. '],
  test: ['One more thing. ', 'A new request. '],
} as const;

/** Verbs that begin instructions. */
const VERBS = new Set(
  `Add Answer Begin Bring Calculate Change Choose Clear Collect Complete Connect Copy Create Delete Do Drag Empty Enter File Find Give Keep
  Let Look Mail Make Mark Move Name Prepare Put Read Remove Rename Replace Reply Save Send Set Show Star Switch Take Tell Throw Tidy Turn Type
  Use Work Write`.split(/\s+/),
);

export type PhrasingSplit = 'train' | 'test';

export function rephrase(instruction: string, split: PhrasingSplit, random: Random): string {
  const plain = instruction.startsWith(POLITE) ? capital(instruction.slice(POLITE.length)) : instruction;
  const [first = ''] = plain.split(' ', 1);
  const worded = plain
    .split(/("[^"]*")/)
    .map((part, index) => (index % 2 === 1 ? part : reworded(part, index === 0, split, random)))
    .join('');
  if (!VERBS.has(first)) return `${oneOf<string>(random, BEFORE_OTHERS[split])}${worded}`;
  const before = oneOf<string>(random, BEFORE_VERB[split]);
  return before === '' ? worded : `${before}${worded.charAt(0).toLowerCase()}${worded.slice(1)}`;
}

const POLITE = 'Please ';

/** `part` is outside of quotation marks. Each word is chosen once, so that it has one name in the whole part. */
function reworded(part: string, isFirst: boolean, split: PhrasingSplit, random: Random): string {
  let text = part;
  // A replacement is no longer replaced: it is hidden until the end.
  const hidden: string[] = [];
  const hide = (word: string): string => `${MARK}${hidden.push(word) - 1}${MARK}`;
  const lower = part.toLowerCase();
  for (const { word, train, test, first, sentence, inside } of PATTERNS) {
    const choice = oneOf<string>(random, split === 'train' ? train : [...train, ...test]);
    // Most words are not there, and three patterns take much longer than this.
    if (!lower.includes(word)) continue;
    const begin = (_: string, before: string) => `${before}${hide(capital(choice))}`;
    if (isFirst && first !== undefined) text = text.replace(first, begin);
    if (sentence !== undefined) text = text.replace(sentence, begin);
    if (inside !== undefined) text = text.replace(inside, () => hide(choice));
  }
  return text.replace(HIDDEN, (_, article: string | undefined, index: string) => {
    const word = hidden[Number(index)] ?? '';
    if (article === undefined) return word;
    return `${article}${/^[aeiou]/.test(word) ? 'n' : ''} ${word}`;
  });
}

/** A character that no instruction contains. */
const MARK = '\uE000';
/** With the article before it, which may change. */
const HIDDEN = /(?:\b([Aa])n? )?\uE000(\d+)\uE000/g;

/** Not within a word, an address or a file name. */
const START = '(?<![\\w@.-])';
const END = '(?![\\w@-]|\\.\\w)';

const PATTERNS = SYNONYMS.map(({ word, only, not = [], ...words }) => {
  const end = `${END}${not.map(each => `(?! ${each}\\b)`).join('')}`;
  return {
    ...{ ...words, word },
    /** At the beginning of an instruction, and of its other sentences. */
    first: only === 'inside' ? undefined : new RegExp(`(^)${capital(word)}${end}`),
    sentence: only === 'inside' ? undefined : new RegExp(`([.?!] )${capital(word)}${end}`, 'g'),
    inside: only === 'first' ? undefined : new RegExp(`${START}${word}${end}`, 'g'),
  };
});
