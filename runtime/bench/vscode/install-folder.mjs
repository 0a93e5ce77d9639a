// The folder of the VS Code that tests and benchmarks use: outside of the project, because packaging lists its files.

import { homedir } from 'node:os';
import { join } from 'node:path';

const CACHE = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');

export const VSCODE_FOLDER = process.env.DARTBOARD_VSCODE ?? join(CACHE, 'dartboard/vscode-1.139.1');
