// A learner for people who train elsewhere: each update becomes files in a folder. docs/train-elsewhere.md describes the folder.
//
// A crash at any point leaves the folder valid: files are written before the manifest that lists them, and a listed file never changes.

import { createHash } from 'node:crypto';
import { isMissing } from '../../core/errors.ts';
import { checkUnclipped } from '../built-in-loss.ts';
import type {
  Learner,
  LearnerCapabilities,
  PngSource,
  PublishedWeights,
  RowOrigin,
  TokenStep,
  TokenUpdate,
  UpdateReport,
} from '../learner.ts';
import { checkUpdate } from '../valid-update.ts';
import { exportedRow, jsonLines } from './exported-row.ts';
import { type ChatExchange, DATASET_INFO, fineTuningExample, imageFile, imagesIn } from './fine-tuning.ts';
import {
  emptyManifest,
  jsonBytes,
  MANIFEST,
  type Manifest,
  manifestIn,
  savedStateIn,
  savedStateOf,
  type UpdateEntry,
} from './manifest.ts';
import { parquetOf } from './parquet.ts';

/** The folder of the updates. */
export interface UpdateFiles {
  /** Rejects with the code ENOENT for a missing file. */
  read(place: string): Promise<Uint8Array>;
  /** Atomic and durable: after a crash, the file has its old content or the new one. */
  write(place: string, bytes: Uint8Array): Promise<void>;
  /** A missing file is no error. */
  remove(place: string): Promise<void>;
}

export interface FileLearnerOptions {
  /** The path of the folder, for people. */
  readonly folder: string;
  readonly files: UpdateFiles;
  readonly model: string;
  readonly images: PngSource;
  /** The conversation of a step of a successful trajectory; undefined if it is not stored. Without it, no examples are written. */
  readonly exchangeOf?: (origin: RowOrigin) => Promise<ChatExchange | undefined>;
}

export async function openFileLearner(options: FileLearnerOptions): Promise<Learner> {
  const { folder, files, model } = options;
  const bytes = await readIfPresent(files, MANIFEST);
  const manifest = bytes === undefined ? emptyManifest(model) : manifestIn(bytes, `${folder}/${MANIFEST}`);
  if (manifest.model !== model)
    throw new Error(
      `The folder '${folder}' has updates of the model '${manifest.model}', not of '${model}'. Choose another folder.`,
    );
  return new FileLearner(options, manifest);
}

class FileLearner implements Learner {
  readonly capabilities: LearnerCapabilities;
  readonly #options: FileLearnerOptions;
  /** The hashes of the images that are in the folder. */
  readonly #images = new Set<string>();
  #manifest: Manifest;
  #isOpen = true;

  constructor(options: FileLearnerOptions, manifest: Manifest) {
    this.#options = options;
    this.#manifest = manifest;
    this.capabilities = {
      kind: 'file',
      place: options.folder,
      model: options.model,
      ...{ assesses: false, hasReference: false, clips: false, publishes: false },
    };
  }

  get step(): number {
    return this.#manifest.updates.at(-1)?.step ?? 0;
  }

  get last(): string | undefined {
    return this.#manifest.updates.at(-1)?.id;
  }

  async assess(_: readonly TokenStep[], __: 'present' | 'reference', signal: AbortSignal): Promise<never> {
    this.#begin(signal);
    throw new Error(
      `The learner in the folder '${this.#options.folder}' has no weights, so it computes no log-probabilities. Use those of the rollout.`,
    );
  }

  async publish(signal: AbortSignal): Promise<PublishedWeights> {
    this.#begin(signal);
    throw new Error(
      `The learner in the folder '${this.#options.folder}' has no weights to publish. Load the weights of your trainer into the servers of the policy.`,
    );
  }

  async update(update: TokenUpdate, signal: AbortSignal): Promise<UpdateReport> {
    this.#begin(signal);
    const { updates } = this.#manifest;
    const done = updates.findLast(({ id }) => id === update.id);
    if (done !== undefined) return { step: done.step };
    checkUpdate(update);
    checkUnclipped(update, 'a learner of files');
    const step = this.step + 1;
    const rows = update.rows.map(row => exportedRow(row, update.id, step));
    const successes = await this.#successesIn(update);
    const ofPrompts = rows.flatMap(({ prompt }) => prompt.flatMap(({ image }) => image ?? []));
    const ofSuccesses = successes.flatMap(({ messages }) => imagesIn(messages));
    for (const sha256 of new Set([...ofPrompts, ...ofSuccesses])) await this.#writeImage(sha256, signal);

    const next = await this.#freeNumber();
    const number = numbered(next);
    const examples = successes.flatMap(success => fineTuningExample(success) ?? []);
    const entry: UpdateEntry = {
      ...{ id: update.id, step, rows: rows.length },
      ...{ jsonl: jsonlOf(next), parquet: `updates/${number}.parquet` },
      ...(examples.length > 0 && { chat: `chat/${number}.jsonl` }),
    };
    await this.#write(entry.jsonl, jsonLines(rows), signal);
    await this.#write(entry.parquet, parquetOf(rows), signal);
    if (entry.chat !== undefined) {
      await this.#write(entry.chat, jsonLines(examples), signal);
      await this.#write('dataset_info.json', jsonBytes(DATASET_INFO), signal);
    }
    await this.#list([...updates, entry], next + 1, signal);
    return { step };
  }

  async save(name: string, signal: AbortSignal): Promise<string> {
    this.#begin(signal);
    if (!NAME.test(name))
      throw new RangeError(
        `The state cannot have the name '${name}'. Use letters, digits, '-', '_' and '.', with a letter or digit first.`,
      );
    const place = `saved/${name}.json`;
    await this.#write(place, jsonBytes(savedStateOf(this.#manifest)), signal);
    return place;
  }

  async load(saved: string, signal: AbortSignal): Promise<void> {
    this.#begin(signal);
    const { folder, files } = this.#options;
    const bytes = SAVED.test(saved) ? await readIfPresent(files, saved) : undefined;
    if (bytes === undefined)
      throw new RangeError(
        `The folder '${folder}' has no saved state '${saved}'. Restore the folder '${folder}', or start a new run: this one continues from a state there.`,
      );
    const { updates } = savedStateIn(bytes, `${folder}/${saved}`);
    // A manifest that was lost, or replaced by an older one, knows fewer files than the state.
    const used = Number(/\d+/.exec(updates.at(-1)?.jsonl ?? '')?.[0] ?? 0);
    await this.#list(updates, Math.max(this.#manifest.next, used + 1), signal);
  }

  /** A state lists all updates so far: without deletions, the states of a run would grow with the square of its length. */
  async forget(saved: string): Promise<void> {
    this.#begin();
    if (SAVED.test(saved)) await this.#options.files.remove(saved);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
  }

  #begin(signal?: AbortSignal): void {
    if (!this.#isOpen)
      throw new Error(`The learner in the folder '${this.#options.folder}' is closed. Open another one.`);
    signal?.throwIfAborted();
  }

  /** Files that only a lost or newer manifest lists stay as they are. */
  async #freeNumber(): Promise<number> {
    let { next } = this.#manifest;
    while ((await readIfPresent(this.#options.files, jsonlOf(next))) !== undefined) next += 1;
    return next;
  }

  async #successesIn({ rows }: TokenUpdate): Promise<readonly ChatExchange[]> {
    const { exchangeOf } = this.#options;
    if (exchangeOf === undefined) return [];
    const found: ChatExchange[] = [];
    // One after another: each may read a trajectory with all its images.
    for (const { origin } of rows.filter(each => each.origin.isSuccess)) {
      const exchange = await exchangeOf(origin);
      if (exchange !== undefined) found.push(exchange);
    }
    return found;
  }

  async #writeImage(sha256: string, signal: AbortSignal): Promise<void> {
    const { files, images } = this.#options;
    if (this.#images.has(sha256)) return;
    const place = imageFile(sha256);
    if ((await readIfPresent(files, place)) === undefined) {
      const bytes = await images(sha256);
      const actual = createHash('sha256').update(bytes).digest('hex');
      if (actual !== sha256)
        throw new Error(
          `The image ${sha256} has the hash ${actual}. Its trajectory is damaged: remove it from the batch.`,
        );
      await this.#write(place, bytes, signal);
    }
    this.#images.add(sha256);
  }

  /** Makes a list of updates the state of this learner. */
  async #list(updates: readonly UpdateEntry[], next: number, signal: AbortSignal): Promise<void> {
    // If the write fails, the file may be there. Its numbers are not used again.
    this.#manifest = { ...this.#manifest, next };
    const manifest = { ...this.#manifest, updates: [...updates] };
    await this.#write(MANIFEST, jsonBytes(manifest), signal);
    this.#manifest = manifest;
  }

  async #write(place: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    this.#begin(signal);
    await this.#options.files.write(place, bytes);
  }
}

const NAME = /^[A-Za-z0-9][\w.-]*$/;
const SAVED = /^saved\/[A-Za-z0-9][\w.-]*\.json$/;

const numbered = (number: number): string => String(number).padStart(6, '0');
const jsonlOf = (number: number): string => `updates/${numbered(number)}.jsonl`;

async function readIfPresent(files: UpdateFiles, place: string): Promise<Uint8Array | undefined> {
  try {
    return await files.read(place);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
