// The names of the extension's commands; the manifest (package.json) lists the same ones, with their titles.

export const COMMANDS = {
  start: 'dartboard.start',
} as const;
