// Splits the prompt ids of a reply into text and images. A server reports a prompt with one filler token per place of an image; a learner
// wants the image itself. Text is never tokenised again. Pure.

import { at } from '../core/at.ts';
import { sum } from '../core/sum.ts';
import type { PromptChunk, TextChunk, TokenStep } from './learner.ts';

/** A prompt that does not match its images. */
export class PromptError extends Error {
  override readonly name = 'PromptError';
}

/**
 * Each run of the filler token is one image, in the order of `images`. Families that share a profile differ in this token: of `fillers`, the
 * one whose number of runs matches is taken. Throws a PromptError if none does: then the server left images out, or the list is wrong.
 */
export function promptChunks(
  prompt: readonly number[],
  images: readonly string[],
  fillers: readonly number[],
): readonly PromptChunk[] {
  if (images.length === 0) return [{ kind: 'text', tokens: prompt } satisfies TextChunk];
  const found = fillers.map(filler => ({ filler, runs: runsOf(prompt, filler) }));
  const fitting = found.filter(({ runs }) => imageRuns(runs).length === images.length);
  const [best] = fitting.sort((a, b) => placesOf(b.runs) - placesOf(a.runs));
  if (best === undefined) {
    const counts = found.map(({ filler, runs }) => `${imageRuns(runs).length} runs of the token ${filler}`);
    throw new PromptError(
      `The prompt has ${counts.join(' and ') || 'no known image token'}, but its messages have ${images.length} images. Set 'imageToken' of the agent, and check that the server reports the expanded prompt.`,
    );
  }
  let next = 0;
  return best.runs.map(({ from, to, isImage }): PromptChunk => {
    if (!isImage) return { kind: 'text', tokens: prompt.slice(from, to) };
    const sha256 = at(images, next);
    next += 1;
    return { kind: 'image', sha256, tokens: to - from };
  });
}

/** Places of the prompt and the reply. */
export const tokensOf = ({ prompt, reply }: TokenStep): number =>
  reply.length + sum(prompt.map(chunk => (chunk.kind === 'text' ? chunk.tokens.length : chunk.tokens)));

const imageRuns = (runs: readonly Run[]): readonly Run[] => runs.filter(({ isImage }) => isImage);
const placesOf = (runs: readonly Run[]): number => sum(imageRuns(runs).map(({ from, to }) => to - from));

interface Run {
  readonly from: number;
  readonly to: number;
  readonly isImage: boolean;
}

function runsOf(prompt: readonly number[], filler: number): readonly Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < prompt.length; ) {
    const isImage = prompt[from] === filler;
    let to = from + 1;
    while (to < prompt.length && (prompt[to] === filler) === isImage) to += 1;
    runs.push({ from, to, isImage });
    from = to;
  }
  return runs;
}
