// `dartboard run --agent`: a model agent tries an instruction on a desktop of this process. Prints each turn as it ends, and the result.

import { join } from 'node:path';
import { resolve } from '../config/config.ts';
import { CONFIG_FILE, readConfig } from '../config/config-file.ts';
import { seeded } from '../core/rng.ts';
import { type AgentAttempt, type AttemptTurn, attemptWithAgent } from '../inference/agent-attempt.ts';
import { agentFilmstrip } from '../inference/agent-filmstrip.ts';
import { type DesktopSession, openDesktopSession } from '../inference/desktop-session.ts';
import { instanceFor, randomInstance, tasksFor } from '../inference/instance-search.ts';
import { turnFigures } from '../inference/turn-figures.ts';
import { openModelAgent, requireUse } from '../run/model-agent.ts';
import { settingsOfAgent } from '../run/named-agent.ts';
import { oneLine } from '../run/number-format.ts';
import { aboutInstance, resultLines, writeFilm } from './attempt-result.ts';
import type { CliContext } from './context.ts';
import { cut, faint, plain, poor, type StyledLine, strong } from './terminal/line.ts';
import { printLines, widthOfOutput } from './terminal/output.ts';

export interface RunAgentOptions {
  readonly agent: string;
  readonly app?: string;
  readonly steps: number;
  readonly seed: string;
}

export async function runAgent(
  context: CliContext,
  instruction: string | undefined,
  options: RunAgentOptions,
): Promise<void> {
  const { folder, environment, clock, output, printError, root } = context;
  const { agent: name, app, steps, seed } = options;
  const stop = context.stopSignal();
  const { config } = resolve(await readConfig(join(folder, CONFIG_FILE)));
  const settings = settingsOfAgent(name, config);
  const health: DesktopSession['health'] = (thing, healthy, message) => {
    if (!healthy) printError(`${thing}: ${message}`);
  };
  const opened = await openModelAgent(name, settings, { environment, clock, health, signal: stop });
  let desktops: DesktopSession | undefined;
  try {
    requireUse(opened, 'evaluation');
    desktops = await openDesktopSession({
      ...{ run: 'attempt', agent: name, mode: opened.mode, config, clock, health },
    });
    const { suite } = desktops;
    const tasks = tasksFor(suite, [], app);
    const random = seeded(seed);
    const instance =
      instruction === undefined
        ? randomInstance(suite, tasks, random.fork('instance'))
        : instanceFor(suite, tasks, instruction);
    const about = aboutInstance(instance);
    const model = `agent: ${name} (${opened.capabilities.model}, profile ${settings.profile})`;
    const width = widthOfOutput(output);
    const attempt = await attemptWithAgent({
      ...{ agent: opened.agent, mode: opened.mode, desktops, instance, instruction, maxSteps: steps },
      ...{ random: random.fork('attempt'), signal: stop },
      started: tried =>
        printLines(context, [[], [strong(oneLine(tried))], [faint(about)], [faint(model)], []]),
      report: (turn, number) => printLines(context, turnLines(turn, number, width)),
    });
    printLines(context, await closingLines(attempt, `${about}; ${model}`, root));
  } finally {
    await desktops?.close();
    opened.close();
  }
}

/** The actions, the thought and the figures of a turn, each on one line. */
function turnLines({ sentences, trace }: AttemptTurn, number: number, width: number): readonly StyledLine[] {
  const indent = plain('    ');
  const figures = turnFigures(trace);
  const { thought, malformed } = trace.kind === 'tokens' ? trace : {};
  const lines: readonly StyledLine[] = [
    [faint(`${String(number).padStart(2)}  `), plain(sentences.join(', then '))],
    ...(malformed === undefined ? [] : [[indent, poor(`unreadable reply: ${oneLine(malformed)}`)]]),
    ...(thought === undefined ? [] : [[indent, faint(oneLine(thought))]]),
    ...(figures.length === 0 ? [] : [[indent, faint(figures.join(' · '))]]),
  ];
  return lines.map(line => cut(line, width));
}

async function closingLines(
  attempt: AgentAttempt,
  about: string,
  root: string,
): Promise<readonly StyledLine[]> {
  const results =
    attempt.ending === undefined
      ? ['The attempt was stopped.']
      : resultLines({ ...attempt, ending: attempt.ending });
  const film = await writeFilm(
    join(root, '..', 'attempts'),
    agentFilmstrip(attempt, about, results.join(' ')),
  );
  return [[], ...results.map((line): StyledLine => [plain(line)]), [], [faint(`All screens: ${film}`)], []];
}
