// The questions of `Configure Agent`. Escape ends them, and nothing is written.

import * as vscode from 'vscode';
import { guessProfile } from '../../runtime/protocol/profile-guess.ts';
import { askText, pickOne } from '../ask.ts';
import type { AgentKeys } from '../keys/agent-keys.ts';
import { askForKey } from '../keys/commands.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { baseUrl, modelProblem, nameProblem, urlProblem, variableProblem } from './answers.ts';
import type { AgentEntry } from './entry.ts';
import { keyChoices } from './key-choices.ts';
import { listModels, type ModelList } from './model-list.ts';
import { GENERIC, GENERIC_MODES, PROFILES } from './profiles.ts';

export interface AgentAnswers {
  /** In the user's settings, not in dartboard.json. */
  readonly isOfUser: boolean;
  readonly name: string;
  readonly entry: AgentEntry;
  /** A key that the user entered, for the secret storage. */
  readonly newKey?: { readonly secret: string; readonly value: string };
}

const STEPS = 6;
const title = (step: number): string => `Configure Agent (${step} of ${STEPS})`;

interface PlaceItem extends vscode.QuickPickItem {
  readonly isOfUser: boolean;
}

const PLACES: readonly PlaceItem[] = [
  {
    label: '$(folder) This folder',
    detail: 'In dartboard.json, for everybody who works in the folder.',
    isOfUser: false,
  },
  {
    label: '$(account) All my folders',
    detail: 'In your settings of VS Code, on this machine. The dartboard.json of a folder can replace it.',
    isOfUser: true,
  },
];

/** `existing`: the names of the agents in either place. Undefined if the user pressed Escape. */
export async function askAgent(
  existing: { readonly folder: readonly string[]; readonly user: readonly string[] },
  keys: AgentKeys,
): Promise<AgentAnswers | undefined> {
  const place = await pickOne(PLACES, { title: title(1), placeHolder: 'Where is the agent used?' });
  if (place === undefined) return undefined;
  const { isOfUser } = place;
  const name = await input(2, {
    prompt: 'A name for the agent. Commands and results use it.',
    placeHolder: 'ui-tars',
    check: text => nameProblem(text, isOfUser ? existing.user : existing.folder),
  });
  if (name === undefined) return undefined;
  const address = await input(3, {
    prompt: 'The base URL of an OpenAI-compatible server: vLLM, SGLang, llama.cpp, Ollama or a hosted API.',
    value: 'http://localhost:8000/v1',
    check: urlProblem,
  });
  if (address === undefined) return undefined;
  const key = await askKey(baseUrl(address), name, isOfUser, isOfUser ? keys.user : keys.folder);
  if (key === undefined) return undefined;
  const server = await askModel(baseUrl(address), key.value);
  if (server === undefined) return undefined;
  const profile = await askProfile(server.model);
  if (profile === undefined) return undefined;
  const { source, newKey } = key;
  return {
    ...{ isOfUser, name },
    entry: { ...profile, ...server, ...(source !== undefined && { key: source }) },
    ...(newKey !== undefined && { newKey }),
  };
}

/** The user may set it later. */
const unsetWarning = (name: string): vscode.InputBoxValidationMessage | undefined =>
  process.env[name] === undefined
    ? {
        message: `${name} is not set in this VS Code. Start VS Code from a shell that sets it.`,
        severity: vscode.InputBoxValidationSeverity.Warning,
      }
    : undefined;

interface InputQuestion {
  readonly prompt: string;
  readonly placeHolder?: string;
  readonly value?: string;
  /** What to correct. */
  readonly check: (text: string) => string | vscode.InputBoxValidationMessage | undefined;
}

async function input(step: number, { check, ...options }: InputQuestion): Promise<string | undefined> {
  const text = await askText({
    ...{ ...options, title: title(step) },
    // An empty field shows no error before the user types.
    validateInput: each => (each.trim() === '' ? undefined : check(each.trim())),
  });
  // Enter in an empty field ends the questions.
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}

interface AskedKey extends Pick<AgentAnswers, 'newKey'> {
  readonly source?: NonNullable<AgentEntry['key']>;
  /** The key itself, if it is known here. */
  readonly value?: string | undefined;
}

async function askKey(
  url: string,
  agent: string,
  isOfUser: boolean,
  keys: KeyStore,
): Promise<AskedKey | undefined> {
  const choice = await pickOne(keyChoices(url, agent, keys.names), {
    ...{ title: title(4), placeHolder: 'Which API key do requests carry?' },
  });
  if (choice === undefined) return undefined;
  const { source } = choice;
  switch (source.kind) {
    case 'none':
      return {};
    case 'stored':
      return { source: { secret: source.secret }, value: await keys.get(source.secret) };
    case 'new': {
      const value = await askForKey(title(4), isOfUser);
      if (value === undefined) return undefined;
      const { secret } = source;
      return { source: { secret }, value, newKey: { secret, value } };
    }
    case 'variable': {
      const env = await input(4, {
        prompt: 'The name of the environment variable.',
        placeHolder: 'OPENAI_API_KEY',
        check: name => variableProblem(name) ?? unsetWarning(name),
      });
      return env === undefined ? undefined : { source: { env }, value: process.env[env] };
    }
  }
}

const LIST_TIMEOUT_MS = 10_000;

async function askModel(
  url: string,
  key: string | undefined,
): Promise<Pick<AgentEntry, 'url' | 'model'> | undefined> {
  const asked = listModels(url, { key, fetch, signal: AbortSignal.timeout(LIST_TIMEOUT_MS) });
  // The quick pick opens at once and fills when the server replies.
  const items: Promise<ModelItem[]> = asked.then(list => modelItems(url, list));
  const choice = await pickOne(items, { title: title(5), placeHolder: `Which model of ${url}?` });
  if (choice === undefined) return undefined;
  const list = await asked;
  const base = list.kind === 'listed' ? list.url : url;
  const model =
    choice.model ??
    (await input(5, { prompt: 'The name of the model, as the server lists it.', check: modelProblem }));
  return model === undefined ? undefined : { url: base, model };
}

interface ModelItem extends vscode.QuickPickItem {
  /** Undefined: the user enters a name. */
  readonly model?: string;
}

function modelItems(url: string, list: ModelList): ModelItem[] {
  const other: ModelItem = { label: '$(edit) Enter another name…' };
  if (list.kind === 'missing')
    return [{ label: '$(edit) Enter the name…', detail: `${url} lists no models: ${list.reason}.` }];
  return [...list.models.map(model => ({ label: `$(hubot) ${model}`, model })), other];
}

async function askProfile(model: string): Promise<Pick<AgentEntry, 'profile' | 'mode'> | undefined> {
  const guess = guessProfile(model);
  const items = PROFILES.map(({ id, detail }) => ({
    ...{ label: id, detail, id },
    ...(id === guess && { description: `suggested for ${model}` }),
  }));
  const sorted = [...items.filter(({ id }) => id === guess), ...items.filter(({ id }) => id !== guess)];
  const options = {
    title: title(6),
    placeHolder: 'Which family of models? It sets prompt, coordinates and actions.',
  };
  const profile = (await pickOne(sorted, options))?.id;
  if (profile !== GENERIC) return profile === undefined ? undefined : { profile };
  const mode = await pickOne(GENERIC_MODES, { title: title(6), placeHolder: 'What does the model see?' });
  return mode === undefined ? undefined : { profile, mode: mode.mode };
}
