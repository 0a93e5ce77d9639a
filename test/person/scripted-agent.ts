// An agent that proposes given turns in order, and records its calls.

import { AgentHealth } from '../../runtime/collect/agent-health.ts';
import type { PlayingAgent } from '../../runtime/collect/playing-agent.ts';
import type { Action } from '../../runtime/core/action.ts';
import type { Agent, AgentSession, AgentTask, Turn, TurnAction } from '../../runtime/core/agent.ts';
import { version } from '../../runtime/core/ids.ts';
import type { Screen } from '../../runtime/core/screen.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';

/** An error is a failed decision. */
export type ScriptedTurn = Action | readonly [Action, ...Action[]] | Error;

interface AgentCall {
  readonly call: 'next' | 'acted' | 'witnessed' | 'close';
  readonly action?: Action;
  /** `next`: the screen; `witnessed`: the screen before. */
  readonly screen?: Screen;
}

const isList = (turn: ScriptedTurn): turn is readonly [Action, ...Action[]] => Array.isArray(turn);

export class ScriptedAgent implements Agent {
  id = 'scripted';
  readonly tasks: AgentTask[] = [];
  readonly calls: AgentCall[] = [];
  /** Awaited in each decision. */
  thinking: () => Promise<void> = async () => undefined;
  readonly #turns: readonly ScriptedTurn[];
  #next = 0;

  constructor(...turns: readonly ScriptedTurn[]) {
    this.#turns = turns;
  }

  /** Without the screens. */
  get log(): readonly string[] {
    return this.calls.map(({ call, action }) => (action === undefined ? call : `${call} ${action.kind}`));
  }

  /** The turns that are left. */
  get left(): number {
    return this.#turns.length - this.#next;
  }

  begin(task: AgentTask): AgentSession {
    this.tasks.push(task);
    let isDeciding = false;
    const alone = () => {
      if (isDeciding) throw new Error('Two calls of the session overlap.');
    };
    return {
      next: async screen => {
        alone();
        isDeciding = true;
        this.calls.push({ call: 'next', screen });
        try {
          await this.thinking();
          task.signal.throwIfAborted();
          const turn = this.#turns[this.#next++];
          if (turn === undefined) throw new Error('The script is over. Write more.');
          if (turn instanceof Error) throw turn;
          return turnOf(isList(turn) ? turn : [turn]);
        } finally {
          isDeciding = false;
        }
      },
      acted: action => {
        alone();
        this.calls.push({ call: 'acted', action });
      },
      witnessed: async (action, before) => {
        alone();
        this.calls.push({ call: 'witnessed', action, screen: before });
      },
      close: () => void this.calls.push({ call: 'close' }),
    };
  }
}

const turnOf = ([first, ...others]: readonly [Action, ...Action[]]): Turn => {
  const turnAction = (action: Action): TurnAction => ({ action, meant: [] });
  const box = { x: 10, y: 20, width: 30, height: 40 };
  return {
    observation: { encoding: 'scripted', bytes: new Uint8Array([1]) },
    actions: [turnAction(first), ...others.map(turnAction)],
    trace: {
      kind: 'heads',
      decisions: [
        {
          ...{ head: 'pointer', choice: 1, choices: 2, logProbability: Math.log(0.75), entropy: 0.56 },
          alternatives: [
            { choice: 1, logProbability: Math.log(0.75), label: 'button "New"', box },
            { choice: 0, logProbability: Math.log(0.25), label: 'button "Old"', box },
          ],
        },
      ],
    },
    version: version(7),
  };
};

/** The opened agent. `closed` counts its ends. */
export function playing(agent: Agent): PlayingAgent & { closed: number } {
  const opened = {
    ...({
      agent,
      mode: 'screenshot_a11y_tree',
      version: version(7),
      concurrency: 1,
      told: 'a script',
    } as const),
    health: new AgentHealth({ agent: agent.id, servers: 1, clock: new VirtualClock() }),
    failedRequests: () => ({}),
    closed: 0,
    close: async () => {
      opened.closed += 1;
    },
  };
  return opened;
}
