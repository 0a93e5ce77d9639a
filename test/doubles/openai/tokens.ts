// The language model of the double: it knows what it wants to write, and has a distribution over the next token at each position. The
// distribution depends on the text so far alone, so that equal prompts have equal distributions.

import type { ServerTraits } from './traits.ts';

export interface ModelToken {
  readonly text: string;
  readonly id: number;
  readonly logprob: number;
  /** Likeliest first. */
  readonly top: readonly { readonly text: string; readonly logprob: number }[];
}

/** Words with the blank before them, groups of digits, and single characters. */
export const pieces = (text: string): readonly string[] =>
  text.match(/ ?[A-Za-z_]+| ?\d{1,3}|\s+|./gsu) ?? [];

const OTHERS = Array.from({ length: 30 }, (_, index) => `~${String.fromCharCode(97 + (index % 26))}${index}`);

export const idOf = (text: string): number => hash(text) % 150_000;

/** `prompt` is any text that identifies the prompt. */
export function modelTokens(
  prompt: string,
  texts: readonly string[],
  {
    temperature,
    report,
  }: { readonly temperature: number; readonly report: ServerTraits['logProbabilities'] },
): readonly ModelToken[] {
  let before = prompt;
  return texts.map(text => {
    const state = hash(before);
    before = `${state}${text}`;
    const logits = [
      { text, logit: 1 + 3 * unit(state) },
      ...OTHERS.map((other, rank) => ({ text: other, logit: 2 * unit(state + 1) - 0.25 * rank })),
    ];
    // Greedy decoding is reported at temperature 1.
    const scale = report === 'processed' && temperature > 0 ? 1 / temperature : 1;
    const total = Math.log(logits.reduce((sum, { logit }) => sum + Math.exp(scale * logit), 0));
    const reported = logits.map(each => ({
      text: each.text,
      logprob: report === 'logits' ? each.logit : scale * each.logit - total,
    }));
    const top = [...reported].sort((a, b) => b.logprob - a.logprob);
    return { text, id: idOf(text), logprob: reported[0]?.logprob ?? 0, top };
  });
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/** From 0 to 1. */
const unit = (seed: number): number => (Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) >>> 0) / 2 ** 32;
