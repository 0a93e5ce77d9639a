// Evaluate, Run an Instruction and Check Endpoint, for the built-in agent or for an agent of dartboard.json. An instruction runs in the panel
// Record; the others are commands of the command line in a terminal.

import { COMPACT_AGENT } from '../../runtime/core/agent.ts';
import type { PanelPlace } from '../../runtime/protocol/panels.ts';
import type { FolderAgents } from '../agents/folder-agents.ts';
import { askText, pickOne } from '../ask.ts';
import type { CommandTable, CommandTarget } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import { readConfigFile } from '../config-file.ts';
import type { CommandLine } from '../program.ts';
import { EVALUATED_TASKS, selectedTasks } from './evaluated-tasks.ts';
import { revealRunning, runInTerminal } from './terminal.ts';

const EVALUATE = 'Dartboard Evaluate';
const CHECK = 'Dartboard Check';

interface Options {
  readonly commands: CommandTable;
  readonly program: (...args: readonly string[]) => CommandLine;
  readonly folder: string;
  readonly agents: FolderAgents;
  readonly openPanel: (place: PanelPlace) => Promise<void>;
  /** The program with the key of that agent. */
  readonly withKey: (program: CommandLine, agent: string) => Promise<CommandLine>;
}

export function activateAgentCommands(options: Options): void {
  const { commands, program, folder, agents, openPanel, withKey } = options;
  /** Arguments of the command line; undefined if the user pressed Escape. */
  const playerOf = async (
    title: string,
    target: CommandTarget | undefined,
  ): Promise<{ readonly agent: string; readonly args: readonly string[] } | undefined> => {
    if (target?.run !== undefined) return { agent: COMPACT_AGENT, args: ['--weights', target.run] };
    const agent = target?.agent ?? (await agents.ask(title));
    if (agent === undefined) return undefined;
    return { agent, args: agent === COMPACT_AGENT ? [] : ['--agent', agent] };
  };
  const start = async (name: string, line: CommandLine, agent: string): Promise<void> =>
    runInTerminal(name, agent === COMPACT_AGENT ? line : await withKey(line, agent));

  commands.on(COMMANDS.evaluate, async target => {
    if (revealRunning(EVALUATE)) return;
    const player = await playerOf('Evaluate', target);
    if (player === undefined) return;
    const { agent, args } = player;
    const tasks = agent === COMPACT_AGENT ? [] : await askTasks(folder);
    if (tasks !== undefined) await start(EVALUATE, program('eval', ...args, ...tasks), agent);
  });

  commands.on(COMMANDS.run, async target => {
    const player = await playerOf('Run an Instruction', target);
    if (player === undefined) return;
    const { agent } = player;
    const instruction = await askText({
      title: agent === COMPACT_AGENT ? 'Instruction for the agent' : `Instruction for ${agent}`,
      placeHolder: 'Turn night light on.',
      prompt: 'Leave it empty for a task of the suite.',
    });
    if (instruction === undefined) return;
    await openPanel({
      ...{ panel: 'record', agent },
      ...(target?.run !== undefined && { run: target.run }),
      ...(instruction.trim() !== '' && { instruction: instruction.trim() }),
    });
  });

  commands.on(COMMANDS.checkEndpoint, async target => {
    if (revealRunning(CHECK)) return;
    const agent = target?.agent ?? (await agents.askConfigured('Check Endpoint'));
    if (agent === undefined) return;
    await start(CHECK, program('endpoint', 'check', '--agent', agent), agent);
  });
}

/** Asks only if dartboard.json selects no tasks. Undefined if the user pressed Escape. */
async function askTasks(folder: string): Promise<readonly string[] | undefined> {
  const selected = selectedTasks(await readConfigFile(folder));
  if (selected !== undefined) return selected;
  return (await pickOne(EVALUATED_TASKS, { title: 'Evaluate', placeHolder: 'On which tasks?' }))?.args;
}
