// The program that runs Dartboard's command line, as a plain value. daemon/start.ts and terminal/ execute it.

import { dirname, join } from 'node:path';
import { HAND_OVER_VARIABLE, type HandOverAddress, writeAddress } from './keys/variable.ts';

export interface Installation {
  /** The Node program of the setting `dartboard.node`, or VS Code's own program, which can act as Node. */
  readonly node: string;
  readonly platform: NodeJS.Platform;
  readonly extensionPath: string;
  /** The open folder, if it is on disk. */
  readonly folder: string | undefined;
  readonly home: string;
}

export interface CommandLine {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The shell of the terminal; undefined starts the program directly. */
  readonly shell: TerminalShell | undefined;
}

interface TerminalShell {
  readonly executable: string;
  readonly shellArgs: readonly string[];
}

/** The first argument is a command of the command line. */
export function commandLine(args: readonly string[], installation: Installation): CommandLine {
  const { node, platform, extensionPath, folder, home } = installation;
  return {
    file: node,
    args: [join(extensionPath, 'dist', 'main.js'), ...args],
    // Without this variable VS Code's program opens a window.
    env: { ELECTRON_RUN_AS_NODE: '1' },
    // In a window without a folder, VS Code starts programs only in the home folder.
    cwd: folder ?? home,
    // Code.exe has no console of its own on Windows. It writes to the console of its parent, here cmd.exe.
    shell: platform === 'win32' ? { executable: 'cmd.exe', shellArgs: ['/d', '/c'] } : undefined,
  };
}

/** The program first receives keys from that address (keys/receive.ts). */
export function receivingKeys(program: CommandLine, address: HandOverAddress): CommandLine {
  const [main = '', ...args] = program.args;
  return {
    ...program,
    args: [join(dirname(main), 'with-keys.js'), ...args],
    env: { ...program.env, [HAND_OVER_VARIABLE]: writeAddress(address) },
  };
}

/** The environment of a child process, without variables that VS Code sets for its own processes. */
export const childEnvironment = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/.test(name)),
  );
