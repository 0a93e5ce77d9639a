// All borders of the benchmark of hostile inputs.

import type { Border } from './border.ts';
import { ARCHIVE_BORDERS } from './borders/archives.ts';
import { DESKTOP_BORDERS } from './borders/desktops.ts';
import { FILE_BORDERS } from './borders/files.ts';
import { MODEL_BORDERS } from './borders/models.ts';
import { OPENENV_BORDERS } from './borders/openenv.ts';
import { SERVER_BORDERS } from './borders/servers.ts';

export const BORDERS: readonly Border[] = [
  ...SERVER_BORDERS,
  ...OPENENV_BORDERS,
  ...ARCHIVE_BORDERS,
  ...FILE_BORDERS,
  ...MODEL_BORDERS,
  ...DESKTOP_BORDERS,
];
