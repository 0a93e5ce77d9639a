// The names of the extension's commands; the manifest (package.json) lists the same ones, with their titles.

export const COMMANDS = {
  /** Trains, as `npm start` does. */
  start: 'dartboard.start',
  /** Opens the desktop to use by hand. */
  play: 'dartboard.play',
} as const;
