// A disk in memory that keeps after a power failure only what was synced, and of the rest as much as chance leaves: parts of appended
// bytes, zeros in their place, single changes of a folder. A failed sync drops what it should have written, as Linux does.

import { dirname } from 'node:path';
import type { Disk, DiskFile } from '../../runtime/core/disk.ts';
import type { Random } from '../../runtime/core/rng.ts';
import type { Life } from './life.ts';

const EMPTY = Buffer.alloc(0);

/** The content of a file, whatever its names are. */
class Content {
  /** As processes see it. */
  bytes: Buffer = EMPTY;
  synced: Buffer = EMPTY;
  /** Where a failed sync has dropped bytes that processes still see. */
  readonly dropped: { readonly from: number; readonly to: number }[] = [];

  sync(): void {
    const synced = Buffer.from(this.bytes);
    for (const { from, to } of this.dropped) synced.fill(0, from, to);
    this.synced = synced;
  }

  failSync(): void {
    this.dropped.push({ from: this.synced.length, to: this.bytes.length });
  }

  truncate(length: number): void {
    this.bytes = this.bytes.subarray(0, length);
    const kept = this.dropped.map(({ from, to }) => ({ from, to: Math.min(to, length) }));
    this.dropped.splice(0, this.dropped.length, ...kept.filter(({ from, to }) => from < to));
  }

  losePower(random: Random): void {
    this.bytes = this.#survivor(random);
    this.synced = this.bytes;
    this.dropped.length = 0;
  }

  #survivor(random: Random): Buffer {
    const { bytes, synced } = this;
    if (bytes.length <= synced.length) return random.int(2) === 0 ? synced : bytes.subarray();
    const tail = Buffer.from(
      bytes.subarray(synced.length, synced.length + random.int(bytes.length - synced.length + 1)),
    );
    // The length of a file may be on the disk before its bytes are.
    if (random.int(3) === 0) tail.fill(0, random.int(tail.length + 1));
    return Buffer.concat([synced, tail]);
  }
}

interface Names {
  readonly files: Map<string, Content>;
  readonly folders: Set<string>;
}

interface Change {
  readonly folder: string;
  readonly apply: (names: Names) => void;
}

type Call = (
  name: string,
  how?: { readonly isInstant?: boolean; readonly dying?: () => void },
) => Promise<void>;

export interface DiskTrouble {
  /** Called before each call. The process may die in it. */
  readonly called: (life: Life, call: string) => void;
  readonly isFull: () => boolean;
  readonly failsWrite: () => boolean;
  readonly failsSync: () => boolean;
  /** Whether a sync does anything. */
  readonly syncs: boolean;
  /** Milliseconds of a call. */
  readonly latency: () => number;
}

export class SimulatedDisk {
  readonly #random: Random;
  readonly #trouble: DiskTrouble;
  #now: Names = { files: new Map(), folders: new Set(['/']) };
  #synced: Names = { files: new Map(), folders: new Set(['/']) };
  #unsynced: Change[] = [];

  constructor(random: Random, trouble: DiskTrouble) {
    this.#random = random;
    this.#trouble = trouble;
  }

  /** The disk for one process. */
  on(life: Life): Disk {
    /** `dying` is how far a process gets that dies in the call. */
    const call: Call = async (name, { isInstant = false, dying = () => undefined } = {}) => {
      const latency = isInstant ? 0 : this.#trouble.latency();
      if (latency > 0) await life.clock.sleep(latency);
      this.#trouble.called(life, name);
      if (!life.isDead) return;
      dying();
      await new Promise(() => undefined);
    };
    return {
      open: async (path, flags) => {
        await call(`open ${path}`, { isInstant: true });
        return this.#file(this.#open(path, flags), path, call);
      },
      read: async path => {
        await call(`read ${path}`);
        return this.contentOf(path) ?? fail('ENOENT', 'open', path);
      },
      names: async path => {
        await call(`list ${path}`);
        return this.namesIn(path);
      },
      rename: async (from, to) => {
        await call(`rename ${to}`, { isInstant: true });
        const content = this.#now.files.get(from) ?? fail('ENOENT', 'rename', from);
        this.#change(dirname(to), ({ files }) => {
          if (files.get(from) === content) files.delete(from);
          files.set(to, content);
        });
      },
      remove: async path => {
        await call(`remove ${path}`);
        this.remove(path);
      },
      makeFolder: async path => {
        await call(`folder ${path}`);
        if (this.#trouble.isFull() && !this.#now.folders.has(path)) fail('ENOSPC', 'mkdir', path);
        const created = [...above(path), path].filter(folder => !this.#now.folders.has(folder));
        for (const folder of created) this.#change(dirname(folder), ({ folders }) => folders.add(folder));
        return created[0];
      },
      syncFolder: async path => {
        await call(`sync ${path}`);
        if (this.#trouble.failsSync()) fail('EIO', 'fsync', path);
        if (!this.#now.folders.has(path)) fail('ENOENT', 'open', path);
        if (!this.#trouble.syncs) return;
        for (const { folder, apply } of this.#unsynced) if (folder === path) apply(this.#synced);
        this.#unsynced = this.#unsynced.filter(({ folder }) => folder !== path);
      },
    };
  }

  /** Of a file; undefined without one. From here on the methods cost no time and never fail. */
  contentOf(path: string): Buffer | undefined {
    return this.#now.files.get(path)?.bytes;
  }

  namesIn(folder: string): readonly string[] {
    return this.filesBelow(folder)
      .filter(path => dirname(path) === folder)
      .map(path => path.slice(folder.length + 1));
  }

  filesBelow(folder: string): readonly string[] {
    return [...this.#now.files.keys()].filter(path => path.startsWith(`${folder}/`)).sort();
  }

  remove(path: string): void {
    if (this.#now.files.has(path)) this.#change(dirname(path), ({ files }) => files.delete(path));
  }

  /** Leaves what was synced, and parts of the rest. */
  losePower(): void {
    const random = this.#random;
    for (const { apply } of this.#unsynced) if (random.int(2) === 0) apply(this.#synced);
    this.#unsynced = [];
    const { files, folders } = this.#synced;
    const isThere = (path: string) => above(path).every(folder => folders.has(folder));
    for (const folder of folders) if (!isThere(folder)) folders.delete(folder);
    for (const [path, content] of files)
      if (isThere(path)) content.losePower(random);
      else files.delete(path);
    this.#now = { files: new Map(files), folders: new Set(folders) };
  }

  #open(path: string, flags: 'w' | 'a+'): Content {
    if (!this.#now.folders.has(dirname(path))) fail('ENOENT', 'open', path);
    const present = this.#now.files.get(path);
    if (present !== undefined && flags === 'a+') return present;
    if (present !== undefined) {
      present.truncate(0);
      return present;
    }
    if (this.#trouble.isFull()) fail('ENOSPC', 'open', path);
    const content = new Content();
    this.#change(dirname(path), ({ files }) => files.set(path, content));
    return content;
  }

  #file(content: Content, path: string, call: Call): DiskFile {
    const append = (bytes: Uint8Array) => {
      content.bytes = Buffer.concat([content.bytes, bytes]);
    };
    return {
      size: async () => content.bytes.length,
      read: async (length, at) => Buffer.from(content.bytes.subarray(at, at + length)),
      append: async bytes => {
        const part = bytes.subarray(0, this.#random.int(bytes.length + 1));
        await call(`write ${path}`, { dying: () => append(part) });
        if (this.#trouble.isFull()) {
          append(part);
          fail('ENOSPC', 'write', path);
        }
        if (this.#trouble.failsWrite()) {
          append(part);
          fail('EIO', 'write', path);
        }
        append(bytes);
      },
      truncate: async length => content.truncate(length),
      sync: async () => {
        await call(`sync ${path}`);
        if (this.#trouble.failsSync()) {
          content.failSync();
          fail('EIO', 'fdatasync', path);
        }
        if (this.#trouble.syncs) content.sync();
      },
      close: async () => undefined,
    };
  }

  #change(folder: string, apply: Change['apply']): void {
    apply(this.#now);
    this.#unsynced.push({ folder, apply });
  }
}

/** The folders above a path, the topmost first. */
function above(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [...above(folder), folder];
}

function fail(code: string, syscall: string, path: string): never {
  throw Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, syscall, path });
}
