// The folder of the Tinker server: weights that its models saved, by their tinker:// paths.

import { basename, dirname } from 'node:path';
import { isMissing } from '../../core/errors.ts';
import { TinkerFault } from './faults.ts';
import { fileOfPlace, parseTinkerPath, type SavedPlace, tinkerPath } from './tinker-path.ts';

export interface TinkerFolder {
  /** Atomic; resolves once the file survives a power failure. */
  write(place: string, bytes: Uint8Array): Promise<void>;
  /** Rejects with ENOENT if the file does not exist. */
  read(place: string): Promise<Uint8Array>;
  /** The names in a folder; none if there is no such folder. */
  names(folder: string): Promise<readonly string[]>;
  remove(place: string): Promise<void>;
}

export class SavedWeights {
  readonly #folder: TinkerFolder;

  constructor(folder: TinkerFolder) {
    this.#folder = folder;
  }

  /** Returns the path. Rejects with a TinkerFault if the name is taken, unless `overwrite`, or differs from a taken one in case alone. */
  async write(place: SavedPlace, bytes: Uint8Array, overwrite: boolean): Promise<string> {
    const path = tinkerPath(place);
    const file = fileOfPlace(place);
    const name = basename(file);
    const names = await this.#folder.names(dirname(file));
    const isTaken = names.includes(name);
    const similar = names.find(each => each.toLowerCase() === name.toLowerCase());
    if (isTaken && !overwrite)
      throw new TinkerFault(`'${path}' exists. Choose another name, or set overwrite.`);
    if (!isTaken && similar !== undefined)
      throw new TinkerFault(
        `'${path}' differs from the saved '${similar}' in case alone, and some disks ignore case. Choose another name.`,
      );
    await this.#folder.write(file, bytes);
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
    if (!(await this.#folder.names(dirname(file))).includes(basename(file))) return false;
    await this.#folder.remove(file);
    return true;
  }
}
