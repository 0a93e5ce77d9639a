export const PYTHON_FOLDER: string;
export const WEIGHTS: string;
