// The folders of the Python packages and of the server that these tests use: outside of the project, because packaging lists its files.

import { homedir } from 'node:os';
import { join } from 'node:path';

const CACHE = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');

export const PYTHON_FOLDER = process.env.DARTBOARD_PYTHON ?? join(CACHE, 'dartboard/python');
/** The weights of SmolLM2-135M-Instruct. */
export const WEIGHTS = join(PYTHON_FOLDER, 'smollm2.gguf');
/** The first three of its thirty layers. */
export const FEW_LAYERS = join(PYTHON_FOLDER, 'smollm2-three-layers.gguf');
/** The program of an S3-compatible server. */
export const S3_SERVER = join(process.env.DARTBOARD_S3 ?? join(CACHE, 'dartboard/s3'), 'versitygw');
export const COOKBOOK_FOLDER = join(PYTHON_FOLDER, 'cookbook');
export const OPENENV_FOLDER = join(PYTHON_FOLDER, 'openenv');
export const OSWORLD_FOLDER = join(PYTHON_FOLDER, 'osworld');
export const SKYRL_FOLDER = join(PYTHON_FOLDER, 'skyrl');
/** 0.3.0: JSON, and requests without numbers. 0.4.0: protobuf, and a repeated number is answered with the first answer. */
export const SKYRL_VERSIONS = ['0.3.0', '0.4.0'];
