// The Testing view of VS Code: a test for each task, and two ways to run it. Evaluates nothing without the user's click.

import * as vscode from 'vscode';
import { COMPACT_AGENT } from '../../runtime/core/agent.ts';
import type { Clock } from '../../runtime/core/clock.ts';
import { messageOf } from '../../runtime/core/errors.ts';
import { linked } from '../../runtime/core/run-together.ts';
import type { CollectionState } from '../../runtime/protocol/daemon/collection.ts';
import type { FolderAgents } from '../agents/folder-agents.ts';
import { progressText } from '../collect/questions.ts';
import { readConfigFile } from '../config-file.ts';
import type { DaemonClient } from '../daemon/client.ts';
import { userName } from '../user.ts';
import { evaluateTests } from './evaluate.ts';
import { terminalText } from './links.ts';
import { evaluationParams, instancesOf, plannedEvaluations } from './plan.ts';
import { reportTo } from './report.ts';
import { TestItems } from './test-items.ts';

interface Options {
  readonly client: DaemonClient;
  readonly folder: string;
  readonly agents: FolderAgents;
  readonly clock: Clock;
  readonly log: (message: string) => void;
}

/** Undefined if the user pressed Escape. */
type AgentQuestion = () => Promise<string | undefined>;

const INSTANCES_SETTING = 'testing.instances';

export function activateTesting(options: Options): vscode.Disposable {
  const { client, folder, agents, clock, log } = options;
  const controller = vscode.tests.createTestController('dartboard', 'Dartboard');
  const items = new TestItems({ controller, client, folder, clock });
  const closing = new AbortController();

  const addProfile = (label: string, isDefault: boolean, ask: AgentQuestion): void => {
    const profile = controller.createRunProfile(
      label,
      vscode.TestRunProfileKind.Run,
      async (request, token) => {
        try {
          const agent = await ask();
          if (agent === undefined || token.isCancellationRequested) return;
          await run(request, agent);
        } catch (error) {
          log(`${label}: ${messageOf(error)}`);
          void vscode.window.showErrorMessage(messageOf(error));
        }
      },
      isDefault,
    );
    profile.configureHandler = () =>
      void vscode.commands.executeCommand('workbench.action.openSettings', `dartboard.${INSTANCES_SETTING}`);
  };
  const run = async (request: vscode.TestRunRequest, agent: string): Promise<void> => {
    const tests = await items.testsOf(request);
    const choice = {
      ...{ config: await readConfigFile(folder), agent, who: userName() ?? 'unknown' },
      instances: instancesOf(vscode.workspace.getConfiguration('dartboard').get(INSTANCES_SETTING)),
    };
    const orders = plannedEvaluations(tests).map(planned => ({
      params: evaluationParams(planned, choice),
      tests: planned.tests,
    }));
    const testRun = controller.createTestRun(request);
    const { over, release } = linked(closing.signal);
    testRun.token.onCancellationRequested(() => over.abort());
    if (testRun.token.isCancellationRequested) over.abort();
    // A change of dartboard.json replaces the items while the tests run. An invalid file removes them.
    const before = new Map(tests.map(({ id }) => [id, items.item(id)] as const));
    const itemOf = (id: string) => items.item(id) ?? before.get(id);
    try {
      for (const { id } of tests) {
        const item = itemOf(id);
        if (item !== undefined) testRun.enqueued(item);
      }
      await evaluateTests(orders, {
        ...{ client, clock, mayCancel },
        signal: over.signal,
        report: reportTo(testRun, itemOf),
        print: line => testRun.appendOutput(terminalText(line)),
      });
    } finally {
      release();
      testRun.end();
    }
  };

  addProfile('Evaluate Latest Weights', true, async () => COMPACT_AGENT);
  addProfile('Evaluate an Agent…', false, () => agents.askConfigured('Evaluate an Agent'));
  return vscode.Disposable.from({ dispose: () => closing.abort() }, items, controller);
}

/** After a reload of the window, an evaluation of the tests before it may still be under way. */
async function mayCancel(other: CollectionState): Promise<boolean> {
  const cancel = 'Cancel It';
  const text = `The daemon is busy: ${other.told}, ${progressText(other)}. Cancel it and run the tests?`;
  const detail = 'Its finished episodes stay stored.';
  return (await vscode.window.showWarningMessage(text, { modal: true, detail }, cancel)) === cancel;
}
