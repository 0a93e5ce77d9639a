// Files of benchmarks, written whole or not at all; and the parts of one that was interrupted, by its settings.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { isMissing } from '../../core/errors.ts';

export interface KeptPart {
  readonly value: unknown;
  readonly seconds: number;
  /** Milliseconds since 1970, when it ended. */
  readonly at: number;
  /** Which program measured it, and on what. */
  readonly build: string;
  readonly processor?: string | undefined;
}

const kept = z.strictObject({
  settings: z.unknown(),
  parts: z.record(
    z.string(),
    z.strictObject({
      ...{ value: z.unknown(), seconds: z.number(), at: z.number() },
      ...{ build: z.string(), processor: z.string().optional() },
    }),
  ),
});

export function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.unfinished`, text);
  renameSync(`${file}.unfinished`, file);
}

/** Of one benchmark with certain settings: others' lie beside it, and none replaces another. */
export class KeptParts {
  readonly file: string;
  readonly #settings: unknown;
  #parts: Readonly<Record<string, KeptPart>> = {};

  constructor(folder: string, name: string, settings: unknown) {
    const hash = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 8);
    this.file = join(folder, 'unfinished', `${name}-${hash}.json`);
    this.#settings = settings;
    const text = textOf(this.file);
    if (text !== undefined) this.#parts = partsIn(text, this.file);
  }

  get parts(): Readonly<Record<string, KeptPart>> {
    return this.#parts;
  }

  keep(name: string, part: KeptPart): void {
    this.#parts = { ...this.#parts, [name]: part };
    writeWhole(this.file, JSON.stringify({ settings: this.#settings, parts: this.#parts }));
  }

  forget(): void {
    this.#parts = {};
    rmSync(this.file, { force: true });
  }
}

function partsIn(text: string, file: string): Readonly<Record<string, KeptPart>> {
  try {
    return kept.parse(JSON.parse(text)).parts;
  } catch (error) {
    throw new RangeError(
      `The parts of an interrupted run in ${file} cannot be read; remove the file to start anew.`,
      { cause: error },
    );
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
