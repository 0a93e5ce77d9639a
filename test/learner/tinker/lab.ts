// A learner on a double of its server, under a virtual clock, with the files of its journal in memory.

import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import type { HttpBytesTransport } from '../../../runtime/endpoints/http-transport.ts';
import { ApiKey } from '../../../runtime/endpoints/keys.ts';
import type { AdamSettings, TokenStep, TokenUpdate } from '../../../runtime/learner/learner.ts';
import { TinkerClient } from '../../../runtime/learner/tinker/client.ts';
import type { JournalFiles } from '../../../runtime/learner/tinker/journal.ts';
import { TinkerLearner, type TinkerLearnerOptions } from '../../../runtime/learner/tinker/tinker-learner.ts';
import { imageTokens } from '../../doubles/tinker/table-model.ts';
import { TinkerServer } from '../../doubles/tinker/tinker-server.ts';
import type { TinkerTraits } from '../../doubles/tinker/traits.ts';

export const LIVE = new AbortController().signal;

/** Images by their hashes. */
const IMAGES: Readonly<Record<string, Uint8Array>> = {
  aa: Uint8Array.from([3, 1, 4, 1]),
  bb: Uint8Array.from([2, 7, 1, 8, 2]),
};

export const images = async (sha256: string): Promise<Uint8Array> => {
  const bytes = IMAGES[sha256];
  if (bytes === undefined) throw new RangeError(`No image has the hash ${sha256}. Send one that is stored.`);
  return bytes;
};

const image = (sha256: string) =>
  ({ kind: 'image', sha256, tokens: imageTokens(IMAGES[sha256] ?? new Uint8Array()) }) as const;
const text = (...tokens: readonly number[]) => ({ kind: 'text', tokens }) as const;

export const STEPS: readonly TokenStep[] = [
  { prompt: [text(1, 2)], reply: [3, 4, 5] },
  { prompt: [text(6), image('aa'), text(2)], reply: [1] },
  { prompt: [image('bb')], reply: [0, 6] },
  { prompt: [text(4), text(4)], reply: [2, 2, 1, 0] },
  { prompt: [text(3), image('aa'), image('bb')], reply: [5, 5] },
];

export const ADAM: AdamSettings = {
  ...{ learningRate: 0.05, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, clipNorm: 0 },
};

/** Updates with equal numbers are equal. */
export const updateOf = (number: number, steps: readonly TokenStep[] = STEPS): TokenUpdate => ({
  id: `u${number}`,
  optimiser: ADAM,
  rows: steps.map((step, row) => ({
    step,
    weights: step.reply.map((_, token) => Math.cos(7 * number + 3 * row + token)),
    origin: {
      ...{ trajectory: `t${row}`, index: row, group: 'g', task: 'task', advantage: 1, isSuccess: true },
    },
  })),
});

export class MemoryFiles implements JournalFiles {
  readonly contents = new Map<string, Uint8Array>();

  async write(place: string, bytes: Uint8Array): Promise<void> {
    this.contents.set(place, bytes);
  }

  async read(place: string): Promise<Uint8Array> {
    const bytes = this.contents.get(place);
    if (bytes === undefined) throw Object.assign(new Error(`${place} does not exist.`), { code: 'ENOENT' });
    return bytes;
  }

  async remove(place: string): Promise<void> {
    this.contents.delete(place);
  }
}

export interface LabOptions {
  readonly traits?: Partial<TinkerTraits>;
  readonly transport?: (server: TinkerServer) => HttpBytesTransport;
  readonly key?: string;
  readonly learner?: Partial<TinkerLearnerOptions>;
}

export interface Lab {
  readonly clock: VirtualClock;
  readonly server: TinkerServer;
  readonly files: MemoryFiles;
  client(transport?: HttpBytesTransport): TinkerClient;
  /** A learner that continues from the files. */
  open(parts?: {
    readonly transport?: HttpBytesTransport;
    readonly files?: JournalFiles;
  }): Promise<TinkerLearner>;
}

export function lab({ traits = {}, transport, key, learner = {} }: LabOptions = {}): Lab {
  const clock = new VirtualClock();
  const server = new TinkerServer(traits, clock);
  const between = transport?.(server) ?? server;
  const files = new MemoryFiles();
  const client = (way: HttpBytesTransport = between) =>
    new TinkerClient({
      ...{ name: 'lab', url: 'http://lab:8000', transport: way, clock, outageTimeoutMs: 60_000 },
      ...(key !== undefined && { key: new ApiKey(key) }),
    });
  return {
    ...{ clock, server, files, client },
    open: parts =>
      TinkerLearner.open(
        {
          ...{ name: 'lab', client: client(parts?.transport), files: parts?.files ?? files, images, clock },
          ...{ model: { baseModel: 'table', rank: 8, seed: 1 }, needsReference: false },
          // Several passes per update.
          limits: { rows: 3, bytes: 5_000_000 },
          ...learner,
        },
        LIVE,
      ),
  };
}

/** The result of work while the clock runs. */
export async function settled<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  while (!isDone) await clock.run(clock.now() + 1000);
  return work;
}

/** The saved state of a learner, from the disk of the server. */
export async function storedState({ server }: Lab, learner: TinkerLearner) {
  const { path }: { readonly path: string } = JSON.parse(await learner.save('check', LIVE));
  const state = server.disk.get(path);
  if (state === undefined) throw new Error(`The server has no checkpoint ${path}.`);
  return state;
}

export const open = (from: Lab): Promise<TinkerLearner> => settled(from.clock, from.open());

export const assess = (from: Lab, learner: TinkerLearner, weights: 'present' | 'reference' = 'present') =>
  settled(from.clock, learner.assess(STEPS, weights, LIVE));

export const update = (from: Lab, learner: TinkerLearner, number: number) =>
  settled(from.clock, learner.update(updateOf(number), LIVE));
