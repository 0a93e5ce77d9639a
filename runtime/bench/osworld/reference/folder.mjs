// The folder of OSWorld's own metrics and their Python packages: outside of the project, because packaging lists its files.

import { homedir } from 'node:os';
import { join } from 'node:path';

const CACHE = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');

export const REFERENCE_FOLDER = process.env.DARTBOARD_OSWORLD ?? join(CACHE, 'dartboard/osworld');
