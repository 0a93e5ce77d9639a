export const GYMNASIUM_FOLDER: string;
