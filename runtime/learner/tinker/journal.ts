// The journal of a Tinker learner, from which it continues after a crash: its model on the server, the last update, and the update in work
// with the exact bytes of its requests. Every change is durable before the request that depends on it is sent.

import * as z from 'zod';
import { isMissing, messageOf } from '../../core/errors.ts';
import { lastUpdateSchema } from '../last-update.ts';
import { WIRE_ENCODINGS } from './requests.ts';

/** Durable files in a folder of the learner. DurableFolder is one. */
export interface JournalFiles {
  /** Replaces the file. Resolves once it would survive a power failure. */
  write(place: string, bytes: Uint8Array): Promise<void>;
  /** Rejects with ENOENT if the file does not exist. */
  read(place: string): Promise<Uint8Array>;
  remove(place: string): Promise<void>;
}

const count = z.int().min(0);

/** Weights and optimiser state on the server. */
export const savedStateSchema = z.object({
  path: z.string().min(1),
  step: count,
  last: lastUpdateSchema.optional(),
});
export type SavedState = z.infer<typeof savedStateSchema>;

/** A model on the server, and the number of the next request to it. */
const modelSchema = z.object({ id: z.string().min(1), next: z.int().min(1) });
export type ModelSlot = z.infer<typeof modelSchema>;

const pendingSchema = z.object({
  id: z.string(),
  rows: count,
  encoding: z.enum(WIRE_ENCODINGS),
  /** Requests with gradients. One more makes the optimiser step. */
  passes: z.int().min(1),
  /** The number of the first request. */
  first: z.int().min(1),
  /** The name of its files. */
  generation: count,
  /** step: all gradients are computed, and the request for the step may have been sent. */
  phase: z.enum(['gradient', 'step']),
  /** Not sent to another model since the plan: the bytes of the files are those of the requests. */
  isAsPlanned: z.boolean(),
  /** Where the results of the accepted requests are, in order. */
  futures: z.array(z.string()),
  loss: z.number().optional(),
  clipped: z.number().optional(),
  divergence: z.number().optional(),
  hardwareSeconds: z.number().optional(),
});
/** An update in work. */
export type PendingUpdate = z.infer<typeof pendingSchema>;

const stateSchema = z.object({
  model: z.object({ baseModel: z.string(), rank: count, seed: z.int() }),
  encoding: z.enum(WIRE_ENCODINGS),
  /** The server answers a repeated request with its first answer. */
  recognisesRepeats: z.boolean(),
  /** The server computes PPO's loss as Dartboard does. */
  clips: z.boolean().default(false),
  session: z.string().min(1),
  /** Models made in the session. */
  models: count,
  policy: modelSchema,
  reference: modelSchema.optional(),
  /** Names of checkpoints are counted, because each can be used once. */
  checkpoints: count,
  generations: count,
  step: count,
  last: lastUpdateSchema.optional(),
  saved: savedStateSchema.optional(),
  published: z.object({ step: count, path: z.string() }).optional(),
  pending: pendingSchema.optional(),
  /** The last update that was in work: its files can be removed. */
  finished: z.object({ generation: count, passes: count }).optional(),
});
export type LearnerState = z.infer<typeof stateSchema>;

const STATE = 'learner.json';

export class LearnerJournal {
  readonly #files: JournalFiles;
  #state: LearnerState | undefined;

  private constructor(files: JournalFiles, state: LearnerState | undefined) {
    this.#files = files;
    this.#state = state;
  }

  static async open(files: JournalFiles): Promise<LearnerJournal> {
    return new LearnerJournal(files, await readState(files));
  }

  /** Whether a learner used this journal before. */
  get isNew(): boolean {
    return this.#state === undefined;
  }

  get state(): LearnerState {
    if (this.#state === undefined)
      throw new Error('The journal of the learner is empty. Open the learner first.');
    return this.#state;
  }

  async begin(state: LearnerState): Promise<void> {
    this.#state = state;
    await this.#write();
  }

  /** Until the next `commit` in memory alone: a crash loses it. */
  note(changes: Partial<LearnerState>): void {
    this.#state = { ...this.state, ...changes };
  }

  async commit(changes: Partial<LearnerState> = {}): Promise<void> {
    this.note(changes);
    await this.#write();
  }

  writeRequest(generation: number, index: number, body: Uint8Array): Promise<void> {
    return this.#files.write(requestPlace(generation, index), body);
  }

  readRequest({ generation }: PendingUpdate, index: number): Promise<Uint8Array> {
    return this.#files.read(requestPlace(generation, index));
  }

  /** Of an update that is no longer in work. */
  async removeFinished(): Promise<void> {
    const { finished } = this.state;
    if (finished === undefined) return;
    for (let index = 0; index <= finished.passes; index++)
      await this.#files.remove(requestPlace(finished.generation, index));
    this.note({ finished: undefined });
  }

  #write(): Promise<void> {
    return this.#files.write(STATE, new TextEncoder().encode(JSON.stringify(this.state)));
  }
}

const requestPlace = (generation: number, index: number): string => `update-${generation}-${index}`;

async function readState(files: JournalFiles): Promise<LearnerState | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await files.read(STATE);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    return stateSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    throw new Error(
      `The journal of the learner, ${STATE}, is damaged: ${messageOf(error)}. Restore the file, or delete its folder and load a saved state.`,
      { cause: error },
    );
  }
}
