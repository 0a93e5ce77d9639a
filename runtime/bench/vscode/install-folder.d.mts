export const VSCODE_FOLDER: string;
