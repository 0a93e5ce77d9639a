// A folder in memory whose program can crash: the disk survives, and the crashed program reaches it no more.

import type { UpdateFiles } from '../../../runtime/learner/file/file-learner.ts';

export type Disk = Map<string, Uint8Array>;

/** What a crash does to the write during which it happens. */
export type Fate = 'lost' | 'written';

export class MemoryFiles implements UpdateFiles {
  readonly disk: Disk;
  /** The places of all writes, in order. */
  readonly writes: string[] = [];
  readonly #crash: { readonly at: number; readonly fate: Fate } | undefined;
  #hasCrashed = false;

  /** Crashes during the write with this index. */
  constructor(disk: Disk, crash?: { readonly at: number; readonly fate: Fate }) {
    this.disk = disk;
    this.#crash = crash;
  }

  crash(): void {
    this.#hasCrashed = true;
  }

  async read(place: string): Promise<Uint8Array> {
    // As a real disk, it takes a while.
    await new Promise(resolve => setImmediate(resolve));
    this.#assertAlive();
    const bytes = this.disk.get(place);
    if (bytes === undefined)
      throw Object.assign(new Error(`No file '${place}'. Write it first.`), { code: 'ENOENT' });
    return bytes;
  }

  async write(place: string, bytes: Uint8Array): Promise<void> {
    await new Promise(resolve => setImmediate(resolve));
    this.#assertAlive();
    const isCrash = this.#crash?.at === this.writes.length;
    this.writes.push(place);
    if (!isCrash || this.#crash?.fate === 'written') this.disk.set(place, bytes.slice());
    if (isCrash) this.crash();
    this.#assertAlive();
  }

  async remove(place: string): Promise<void> {
    await new Promise(resolve => setImmediate(resolve));
    this.#assertAlive();
    this.disk.delete(place);
  }

  #assertAlive(): void {
    if (this.#hasCrashed) throw new Error('The program has crashed. Open the folder again.');
  }
}
