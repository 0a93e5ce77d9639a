// The folder of the Python packages of this benchmark: outside of the project, because packaging lists its files.

import { homedir } from 'node:os';
import { join } from 'node:path';

const CACHE = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');

export const GYMNASIUM_FOLDER = process.env.DARTBOARD_GYMNASIUM ?? join(CACHE, 'dartboard/gymnasium');
