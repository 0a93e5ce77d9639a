// Compares the tokens of a reply with its text. Pure.

/**
 * same: the tokens spell the text, apart from special tokens, white space, and characters that are split over tokens.
 * past-stop: tokens continue after the end of the text.
 * short: the tokens spell only the beginning of the text.
 */
export type Spelling = 'same' | 'past-stop' | 'short' | 'different';

/** Of the common chat templates. */
const END_TOKENS: ReadonlySet<string> = new Set([
  ...['<|im_end|>', '<|endoftext|>', '<|end|>', '<|return|>', '<|eot_id|>', '<|eom_id|>'],
  ...['<|end_of_text|>', '</s>', '<eos>', '<end_of_turn>'],
]);
/** Servers remove special tokens from the text, and white space around a thought. */
const NOT_COMPARED = /<\|[^|<>]{1,40}\|>|<\/?s>|<eos>|<(?:start|end)_of_turn>|<\/?think>|\s+/g;

export function compareSpelling(tokens: readonly string[], text: string): Spelling {
  const end = tokens.findIndex(token => END_TOKENS.has(token));
  if (end >= 0 && end < tokens.length - 1) return 'past-stop';
  const [spelled, wanted] = [plain(tokens.join('')), plain(text)];
  if (spelled === wanted || matchesSplitCharacters(spelled, wanted)) return 'same';
  if (spelled.startsWith(wanted)) return 'past-stop';
  return wanted.startsWith(spelled) ? 'short' : 'different';
}

const plain = (text: string): string => text.replaceAll(NOT_COMPARED, '');

const REPLACEMENT_RUN = /\uFFFD+/;

/** Whether the text is the spelling with each run of U+FFFD replaced by some characters. */
function matchesSplitCharacters(spelled: string, text: string): boolean {
  const [first = '', ...rest] = spelled.split(REPLACEMENT_RUN);
  const last = rest.pop();
  if (last === undefined || !text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    // A run stands for at least one character.
    const found = text.indexOf(part, at + 1);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.endsWith(last) && text.length - last.length > at;
}
