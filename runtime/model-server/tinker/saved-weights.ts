// The folder of the Tinker server: weights that its models saved, by their tinker:// paths.

import { isMissing } from '../../core/errors.ts';
import { TinkerFault } from './faults.ts';
import { fileOfPlace, parseTinkerPath, type SavedPlace, tinkerPath } from './tinker-path.ts';

export interface TinkerFolder {
  /** Atomic; resolves once the file survives a power failure. */
  write(place: string, bytes: Uint8Array): Promise<void>;
  read(place: string): Promise<Uint8Array>;
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
    if (!overwrite && (await this.#find(place)) !== undefined)
      throw new TinkerFault(`'${path}' exists. Choose another name, or set overwrite.`);
    await this.#folder.write(fileOfPlace(place), bytes);
    return path;
  }

  /** Rejects with a TinkerFault for a path of another form, and for one without weights. */
  async read(path: string): Promise<{ readonly place: SavedPlace; readonly bytes: Uint8Array }> {
    const place = parseTinkerPath(path);
    const bytes = await this.#find(place);
    if (bytes === undefined)
      throw new TinkerFault(`'${path}' has no weights in this server. Use a path that it returned.`);
    return { place, bytes };
  }

  /** Rejects with a TinkerFault for a path of another form. Returns false for one without weights. */
  async remove(path: string): Promise<boolean> {
    const place = parseTinkerPath(path);
    if ((await this.#find(place)) === undefined) return false;
    await this.#folder.remove(fileOfPlace(place));
    return true;
  }

  async #find(place: SavedPlace): Promise<Uint8Array | undefined> {
    try {
      return await this.#folder.read(fileOfPlace(place));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }
}
