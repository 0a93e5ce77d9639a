// The folder of the Tinker server: weights that its models saved, by their tinker:// paths.

import { isMissing } from '../../core/errors.ts';
import { TinkerFault } from './faults.ts';
import { fileOfPlace, parseTinkerPath, type SavedPlace, tinkerPath } from './tinker-path.ts';

export interface TinkerFolder {
  /** Atomic; resolves once the file survives a power failure. */
  write(place: string, bytes: Uint8Array): Promise<void>;
  /** Rejects with ENOENT if the file does not exist. */
  read(place: string): Promise<Uint8Array>;
  has(place: string): Promise<boolean>;
  remove(place: string): Promise<void>;
}

export class SavedWeights {
  readonly #folder: TinkerFolder;

  constructor(folder: TinkerFolder) {
    this.#folder = folder;
  }

  /** Returns the path. Rejects with a TinkerFault if the name is taken, unless `overwrite`. */
  async write(place: SavedPlace, bytes: Uint8Array, overwrite: boolean): Promise<string> {
    const path = tinkerPath(place);
    if (!overwrite && (await this.#folder.has(fileOfPlace(place))))
      throw new TinkerFault(`'${path}' exists. Choose another name, or set overwrite.`);
    await this.#folder.write(fileOfPlace(place), bytes);
    return path;
  }

  /** Rejects with a TinkerFault for a path of another form, and for one without weights. */
  async read(path: string): Promise<{ readonly place: SavedPlace; readonly bytes: Uint8Array }> {
    const place = parseTinkerPath(path);
    try {
      return { place, bytes: await this.#folder.read(fileOfPlace(place)) };
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw new TinkerFault(`'${path}' has no weights in this server. Use a path that it returned.`);
    }
  }

  /** Rejects with a TinkerFault for a path of another form. Returns false for one without weights. */
  async remove(path: string): Promise<boolean> {
    const file = fileOfPlace(parseTinkerPath(path));
    if (!(await this.#folder.has(file))) return false;
    await this.#folder.remove(file);
    return true;
  }
}
