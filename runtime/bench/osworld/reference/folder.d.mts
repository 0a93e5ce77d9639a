export const REFERENCE_FOLDER: string;
