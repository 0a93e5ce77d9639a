// The identity of a workspace in a database that several share. It stays when the folder is renamed or mounted elsewhere, and a copied folder
// gets another one.

import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { isMissing } from '../../core/errors.ts';
import { parsedJson } from '../../core/json.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { OWNER_ONLY_FILE, UNFINISHED, WORKSPACE } from '../files/places.ts';

const record = z.object({
  id: z.string().regex(/^[0-9a-f]{24}$/),
  /** The number that the file system gave to the folder of the runs. A copy has another one. */
  folder: z.string(),
});

/** Letters and digits. `root` is the folder of the runs. Only the holder of its lock calls it. */
export function workspaceIdentity(root: string): string {
  const path = join(root, WORKSPACE);
  const folder = String(statSync(root, { bigint: true }).ino);
  const saved = safeParse(record, parsedJson(textAt(path))).data;
  if (saved?.folder === folder) return saved.id;
  const id = randomBytes(12).toString('hex');
  writeFileSync(`${path}${UNFINISHED}`, `${JSON.stringify({ id, folder })}\n`, { mode: OWNER_ONLY_FILE });
  renameSync(`${path}${UNFINISHED}`, path);
  return id;
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}
