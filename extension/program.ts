// Which program runs Dartboard's command line: decided here as a plain value, and run by daemon/start.ts or in a terminal.

import { join } from 'node:path';

export interface Surroundings {
  /** The Node that the user named, or VS Code's own program, which can be one. */
  readonly node: string;
  readonly platform: NodeJS.Platform;
  /** Where the extension is installed. */
  readonly installed: string;
  /** The folder that is open, if one is open and on disk. */
  readonly workspace: string | undefined;
  /** The user's home folder. */
  readonly home: string;
}

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The shell that a terminal goes through; without one the program is started directly. */
  readonly shell: Shell | undefined;
}

interface Shell {
  readonly executable: string;
  readonly shellArgs: readonly string[];
}

/** The first of `args` is one of the command line's commands (runtime/cli/main.ts). */
export function programFor(args: readonly string[], around: Surroundings): Program {
  const { node, platform, installed, workspace, home } = around;
  return {
    file: node,
    args: [join(installed, 'dist', 'main.js'), ...args],
    // Without it, VS Code's program opens a window instead of being a Node.
    env: { ELECTRON_RUN_AS_NODE: '1' },
    // In a window without a folder VS Code starts nothing anywhere else.
    cwd: workspace ?? home,
    // Windows' Code.exe has no console of its own: it writes to that of the program that started it, and cmd.exe has one.
    shell: platform === 'win32' ? { executable: 'cmd.exe', shellArgs: ['/d', '/c'] } : undefined,
  };
}

/** Not as an argument: Windows' shell would take quotation marks and percent signs for its own. */
export const instructed = (program: Program, instruction: string): Program => ({
  ...program,
  env: { ...program.env, DARTBOARD_INSTRUCTION: instruction },
});

/** What a program of ours inherits: not what VS Code says to its own processes, such as where its debugger listens. */
export const inherited = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/.test(name)),
  );
