// The folder of the VS Code that these tests use. It is in the cache folder of the user, because packaging lists every file of the project.

import { homedir } from 'node:os';
import { join } from 'node:path';

const CACHE = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');

export const VSCODE_FOLDER = process.env.DARTBOARD_VSCODE ?? join(CACHE, 'dartboard/vscode-1.139.1');
