// The command that starts this program again, for texts that name commands.

import { join } from 'node:path';

export interface StartedProgram {
  /** The file of the program, relative to the working folder if it is below it. */
  readonly file: string;
  /** That of npm which started it, from its environment. */
  readonly npmCommand: string | undefined;
  /** The working folder is that of a package. */
  readonly isInPackage: boolean;
}

export function programName({ file, npmCommand, isInPackage }: StartedProgram): string {
  const isLinked = /[\\/]dartboard$|^dartboard$/.test(file);
  // npx finds the program of the package in whose folder it runs.
  if ((isLinked && npmCommand === 'exec') || (file === join('dist', 'main.js') && isInPackage))
    return 'npx dartboard';
  // As a shell reads it, on each system.
  return isLinked ? 'dartboard' : `node ${/\s/.test(file) ? `"${file}"` : file}`;
}
