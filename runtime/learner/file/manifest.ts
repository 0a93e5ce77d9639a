// The manifest of a folder of updates. It alone decides which files count, so writing it is the last act of an update. Pure.

import * as z from 'zod';
import { COLUMNS } from './exported-row.ts';

export const MANIFEST = 'manifest.json';
/** The version of the folder's format. A change that breaks readers gets another one. */
const FORMAT = 'dartboard-updates-1';

const place = z.string();
const entry = z.strictObject({
  id: z.string(),
  step: z.int().positive(),
  rows: z.int().positive(),
  jsonl: place,
  parquet: place,
  /** Steps of successful trajectories as messages, for fine-tuning; absent if there are none. */
  chat: place.optional(),
});
const entries = z.array(entry);
const manifest = z.object({
  format: z.literal(FORMAT),
  model: z.string(),
  columns: z.record(z.string(), z.string()),
  /** The number of the next file. A number is used once, also after `load` of an earlier state. */
  next: z.int().positive(),
  updates: entries,
});
const savedState = z.object({ format: z.literal(FORMAT), updates: entries });

export type UpdateEntry = z.output<typeof entry>;
export type Manifest = z.output<typeof manifest>;
export type SavedFolderState = z.output<typeof savedState>;

export const emptyManifest = (model: string): Manifest => ({
  format: FORMAT,
  model,
  columns: Object.fromEntries(Object.entries(COLUMNS).map(([name, { meaning }]) => [name, meaning])),
  next: 1,
  updates: [],
});

export const savedStateOf = ({ format, updates }: Manifest): SavedFolderState => ({ format, updates });

export const manifestIn = (bytes: Uint8Array, file: string): Manifest => parsed(manifest, bytes, file);
export const savedStateIn = (bytes: Uint8Array, file: string): SavedFolderState =>
  parsed(savedState, bytes, file);

export const jsonBytes = (value: object): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(value, undefined, 1)}\n`);

function parsed<T>(schema: z.ZodType<T>, bytes: Uint8Array, file: string): T {
  try {
    return schema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch (error) {
    throw new Error(
      `Cannot read '${file}': it is damaged, or another version of Dartboard wrote it. Restore the file, or start a new run with another folder.`,
      { cause: error },
    );
  }
}
