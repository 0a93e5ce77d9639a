// The folders of the Python packages that these tests use: outside of the project, because packaging lists its files.

import { homedir } from 'node:os';
import { join } from 'node:path';

const CACHE = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');

export const PYTHON_FOLDER = process.env.DARTBOARD_PYTHON ?? join(CACHE, 'dartboard/python');
/** The weights of SmolLM2-135M-Instruct. */
export const WEIGHTS = join(PYTHON_FOLDER, 'smollm2.gguf');
export const OPENENV_FOLDER = join(PYTHON_FOLDER, 'openenv');
export const OSWORLD_FOLDER = join(PYTHON_FOLDER, 'osworld');
export const SKYRL_FOLDER = join(PYTHON_FOLDER, 'skyrl');
/** 0.3.0: JSON, and requests without numbers. 0.4.0: protobuf, and a repeated number is answered with the first answer. */
export const SKYRL_VERSIONS = ['0.3.0', '0.4.0'];
