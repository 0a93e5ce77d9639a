// Finds how many screens one request may contain: at most one more than the history of the profile sends. A limit shows as a rejected
// request, from the second or a later turn of every episode on.

import { sentSize } from '../agents/model/frame.ts';
import type { Profile } from '../agents/model/profile.ts';
import { ScreenImages } from '../agents/model/screen-images.ts';
import type { Random } from '../core/rng.ts';
import type { Size } from '../core/screen.ts';
import { EndpointError, isRefusal } from '../endpoints/failure.ts';
import { repeated } from '../endpoints/repeated-request.ts';
import { chatBody } from '../endpoints/wire-request.ts';
import { causeOf } from './cause.ts';
import type { WireOptions } from './log-probabilities.ts';
import { type EndpointFinding, fine, problem } from './report.ts';
import { pictureScreens, sizeText } from './screens.ts';

export interface ImageLimit {
  /** The most images that were accepted. */
  readonly accepted: number;
  /** The most images that the profile sends. */
  readonly needed: number;
  /** The size of each screen. */
  readonly size: Size;
  /** Why one more was rejected. */
  readonly refusal?: string;
}

const SIZE: Size = { width: 1920, height: 1080 };

export async function measureImageLimit(
  { client, model, dialect, clock, signal }: WireOptions,
  profile: Profile,
  maxTokens: number,
  random: Random,
): Promise<ImageLimit> {
  const needed = profile.history.images;
  const images = new ScreenImages({ sizeOf: screen => sentSize(profile.resize, screen), window: needed + 1 });
  const screens = pictureScreens(random).filter(({ size }) => size.width === SIZE.width);
  const parts = [];
  for (let index = 0; index <= needed; index++) {
    const screen = screens[index % screens.length]?.draw();
    if (screen !== undefined) parts.push((await images.add(screen.pixels)).part);
  }
  const sampling = { temperature: 0, topP: 1, topK: -1, maxTokens, seed: 1 };
  const question = { type: 'text', text: 'Write the word "ready".' } as const;
  let refusal: string | undefined;
  for (let count = parts.length; count > 0; count--) {
    const messages = [{ role: 'user', parts: [...parts.slice(0, count), question] }] as const;
    const body = chatBody({ messages, sampling }, model, dialect, images.dataUrls);
    try {
      await repeated(() => client.chat(body, signal), clock, signal);
      return { accepted: count, needed, size: SIZE, ...(refusal !== undefined && { refusal }) };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EndpointError && isRefusal(error.reason))) throw error;
      refusal = causeOf(error);
    }
  }
  return { accepted: 0, needed, size: SIZE, ...(refusal !== undefined && { refusal }) };
}

export function imageFinding({ accepted, needed, size, refusal }: ImageLimit): EndpointFinding {
  const name = 'Images';
  const says = `${accepted} ${accepted === 1 ? 'screen' : 'screens'} of ${sizeText(size)} in one request`;
  if (accepted >= needed) return fine(name, `${says}; the profile sends up to ${needed}`);
  return problem(
    name,
    `${says}, but the profile sends up to ${needed} (${refusal ?? 'no reason given'})`,
    /context|length|too long|tokens/i.test(refusal ?? '')
      ? "Enlarge the context of the server (vLLM: --max-model-len; llama.cpp: --ctx-size), or lower 'sampling.maxTokens'."
      : `Raise the limit of images (vLLM: --limit-mm-per-prompt '{"image": ${needed}}').`,
  );
}
