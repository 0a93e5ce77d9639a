// Where the VS Code of these tests is: beside what other programs keep for later, and not in the project, whose files are gone through
// one by one whenever it is packed.

import { homedir } from 'node:os';
import { join } from 'node:path';

const CACHE = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');

export const HOME = process.env.DARTBOARD_VSCODE ?? join(CACHE, 'dartboard/vscode-1.139.1');
