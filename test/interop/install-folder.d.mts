export const COOKBOOK_FOLDER: string;
export const FEW_LAYERS: string;
export const OPENENV_FOLDER: string;
export const OSWORLD_FOLDER: string;
export const PYTHON_FOLDER: string;
export const S3_SERVER: string;
export const SKYRL_FOLDER: string;
export const SKYRL_VERSIONS: readonly string[];
export const WEIGHTS: string;
