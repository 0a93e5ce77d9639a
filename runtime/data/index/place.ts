// The place of the trajectory index of one workspace, and the database that is opened there.

import { join, resolve } from 'node:path';
import { INDEX } from '../files/places.ts';
import type { Database } from './database.ts';
import { PostgresDatabase } from './postgres/postgres-database.ts';
import { SqliteDatabase } from './sqlite-database.ts';
import { workspaceIdentity } from './workspace-identity.ts';

/** As in dartboard.json. `url` is that of the kind `postgres`, and has no password. */
export interface IndexPlace {
  readonly kind: 'embedded' | 'postgres';
  readonly url?: string;
}

export const EMBEDDED: IndexPlace = { kind: 'embedded' };

/** `root` is the folder of the runs. */
export async function openDatabase(root: string, place: IndexPlace): Promise<Database> {
  if (place.url === undefined || place.kind === 'embedded') return SqliteDatabase.open(join(root, INDEX));
  return PostgresDatabase.open(place.url, { id: workspaceIdentity(root), folder: resolve(root) });
}
