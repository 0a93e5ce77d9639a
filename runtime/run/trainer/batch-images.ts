// The images of a batch, read from the files of its trajectories when a learner asks for them: a batch in a channel has only their hashes.

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../core/errors.ts';
import type { RunId, TrajectoryId } from '../../core/ids.ts';
import { placeOf } from '../../data/files/places.ts';
import { sentImageIn } from '../../data/files/trajectory-file.ts';
import { ZipReader } from '../../data/files/zip.ts';
import type { PngSource } from '../../learner/learner.ts';
import { TokenBatchError } from '../../trainer/tokens/prepare-tokens.ts';

/** The steps of a trajectory are adjacent, so few files are open at a time. */
const MAX_OPEN_FILES = 4;

interface OpenFile {
  readonly path: string;
  readonly zip: ZipReader;
}

export class BatchImages {
  readonly #root: string;
  readonly #run: RunId;
  #owners: ReadonlyMap<string, TrajectoryId> = new Map();
  readonly #open = new Map<TrajectoryId, Promise<OpenFile>>();

  /** `root` is the folder of the runs. */
  constructor(root: string, run: RunId) {
    this.#root = root;
    this.#run = run;
  }

  /** The source has these images from now on. Resolves to the trajectories without a file, each with the reason. */
  async use(
    images: ReadonlyMap<TrajectoryId, ReadonlySet<string>>,
  ): Promise<ReadonlyMap<TrajectoryId, string>> {
    this.#open.clear();
    const gone = new Map<TrajectoryId, string>();
    // Trajectories share images, such as the first screen of an instance. Each image gets an owner that has a file.
    const owners = new Map<string, TrajectoryId>();
    for (const [trajectory, hashes] of images)
      if (await isFile(this.#pathOf(trajectory))) for (const hash of hashes) owners.set(hash, trajectory);
      else gone.set(trajectory, goneMessage(trajectory));
    this.#owners = owners;
    return gone;
  }

  readonly source: PngSource = async sha256 => {
    const owner = this.#owners.get(sha256);
    if (owner === undefined)
      throw new RangeError(`No step of the batch contains the image ${sha256}. Skip the batch.`);
    const { zip, path } = await this.#file(owner);
    return sentImageIn(zip, sha256, path);
  };

  #file(owner: TrajectoryId): Promise<OpenFile> {
    const known = this.#open.get(owner);
    if (known !== undefined) return known;
    const path = this.#pathOf(owner);
    const opened = readFile(path).then(
      bytes => ({ path, zip: new ZipReader(bytes) }),
      (error: unknown) => {
        if (!isMissing(error)) throw error;
        throw new TokenBatchError(goneMessage(owner));
      },
    );
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= MAX_OPEN_FILES) this.#open.delete(oldest);
    this.#open.set(owner, opened);
    opened.catch(() => this.#open.delete(owner));
    return opened;
  }

  #pathOf(owner: TrajectoryId): string {
    return join(this.#root, placeOf(owner, this.#run));
  }
}

const goneMessage = (owner: TrajectoryId): string =>
  `The images of trajectory ${owner} are gone: it was deleted before it trained. Increase 'data.retention.mostMegabytes'.`;

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
