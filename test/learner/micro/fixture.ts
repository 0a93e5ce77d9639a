// A learner with a tiny micro model, a folder in memory, and steps for it.

import { deflateSync } from 'node:zlib';
import { pictureOfPng } from '../../../runtime/agents/micro/picture.ts';
import { encodeText } from '../../../runtime/agents/micro/tokenizer.ts';
import { END } from '../../../runtime/agents/micro/vocabulary.ts';
import type { Clock } from '../../../runtime/core/clock.ts';
import { pngOf, pngRows } from '../../../runtime/core/png.ts';
import type { Pixels } from '../../../runtime/core/screen.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { Program } from '../../../runtime/graph/program.ts';
import { loadRuntime } from '../../../runtime/graph/runtime.ts';
import { openSession, type Session } from '../../../runtime/graph/session.ts';
import type { AdamSettings, TokenStep } from '../../../runtime/learner/learner.ts';
import {
  type LearnerFolder,
  MicroLearner,
  type MicroLearnerOptions,
} from '../../../runtime/learner/micro/micro-learner.ts';
import { blankPixels, block } from '../../agents/compact/screens.ts';
import { TEXT, TINY, tinyWeights } from '../../agents/micro/tiny.ts';

export const LIVE = new AbortController().signal;

export const SETTINGS: AdamSettings = {
  ...{ learningRate: 1e-3, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, clipNorm: 0 },
};

export class MemoryFolder implements LearnerFolder {
  readonly path = '/models';
  readonly files = new Map<string, Uint8Array>();

  async write(name: string, bytes: Uint8Array): Promise<void> {
    this.files.set(name, bytes.slice());
  }

  async read(name: string): Promise<Uint8Array> {
    const found = this.files.get(name);
    if (found === undefined)
      throw Object.assign(new Error(`'${name}' does not exist. Name a file.`), { code: 'ENOENT' });
    return found;
  }

  async remove(name: string): Promise<void> {
    this.files.delete(name);
  }

  async names(folder = ''): Promise<readonly string[]> {
    const prefix = folder === '' ? '' : `${folder}/`;
    const files = [...this.files.keys()].filter(each => each.startsWith(prefix));
    return files.map(each => each.slice(prefix.length));
  }
}

const blankScreen = (): Pixels => blankPixels(100, 60, 'rgb');
const encoded = (pixels: Pixels): Uint8Array => pngOf(pixels, deflateSync(pngRows(pixels)));

/** A screen with two words. */
export function screenPng(): Uint8Array {
  const pixels = blankScreen();
  block(pixels, 20, 20, 12, 8);
  block(pixels, 60, 40, 12, 8);
  return encoded(pixels);
}

export const PICTURE = 'a1'.repeat(32);
/** A picture that shows nothing. */
export const BLANK = 'b2'.repeat(32);

export async function images(sha256: string): Promise<Uint8Array> {
  if (sha256 === PICTURE) return screenPng();
  if (sha256 === BLANK) return encoded(blankScreen());
  throw new Error(`The image ${sha256} is unknown. Name an image of the trajectories.`);
}

export const textChunk = (text: string) => ({ kind: 'text', tokens: encodeText(text) }) as const;

export const imageChunk = () =>
  ({ kind: 'image', sha256: PICTURE, tokens: pictureOfPng(screenPng()).patches.length }) as const;

export const replyTo = (text: string): readonly number[] => [...encodeText(text), END];

export const STEPS: readonly TokenStep[] = [
  { prompt: [textChunk(TEXT)], reply: replyTo("Thought: click\nAction: click(start_box='2')") },
  { prompt: [imageChunk(), textChunk('Task: Mute.\n')], reply: replyTo('Action: wait()') },
];

const runtime = loadRuntime('native');
export const localEngine = {
  open: async (program: Program) => openSession(await runtime, program),
};

/** An engine that calls `atRun` when a run begins. */
export function watchedEngine(atRun: () => void) {
  const watched = (session: Session): Session => ({
    run: feeds => {
      atRun();
      return session.run(feeds);
    },
    read: names => session.read(names),
    write: state => session.write(state),
    close: () => session.close(),
  });
  return { open: async (program: Program) => watched(await localEngine.open(program)) };
}

/** An engine and its clock: each run takes 250 ms, and nothing else takes time. */
export function slowEngine() {
  let now = 0;
  const clock: Clock = { now: () => now, sleep: async () => undefined };
  const engine = watchedEngine(() => {
    now += 250;
  });
  return { clock, engine };
}

export const tinyLearner = (
  folder: LearnerFolder = new MemoryFolder(),
  timed: Pick<MicroLearnerOptions, 'engine' | 'clock'> = { engine: localEngine, clock: systemClock },
): Promise<MicroLearner> =>
  MicroLearner.open({ ...timed, shape: TINY, weights: tinyWeights('learner'), images, folder });
