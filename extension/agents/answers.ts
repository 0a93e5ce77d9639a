// Checks the answers of `Configure Agent`: each function returns what to correct, or undefined. Pure.

import { COMPACT_AGENT } from '../../runtime/core/agent.ts';

const AGENT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/;
const MAX_LENGTH = 1000;

export function nameProblem(name: string, existing: readonly string[]): string | undefined {
  if (name === COMPACT_AGENT) return `'${COMPACT_AGENT}' is the built-in agent. Choose another name.`;
  if (existing.includes(name))
    return `There is an agent '${name}' already. Choose another name, or edit its entry.`;
  if (AGENT_NAME.test(name)) return undefined;
  return 'Use 1 to 64 letters, digits, dots, hyphens or underscores, and start with a letter or digit.';
}

/** The message does not repeat the address, which may contain a password. */
export function urlProblem(address: string): string | undefined {
  const url = parsedUrl(address);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || address.length > MAX_LENGTH)
    return 'Enter the base URL of an OpenAI-compatible server, such as http://localhost:8000/v1.';
  if (url.username !== '' || url.password !== '')
    return 'Remove the user name and the password from the URL. The next step asks for the key.';
  if (url.search !== '' || url.hash !== '')
    return 'Remove the query and the fragment from the URL. The next step asks for the key.';
  return undefined;
}

function parsedUrl(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

/** The base URL: people copy the address of a route. */
export const baseUrl = (address: string): string =>
  address.trim().replace(/\/+(?:chat\/completions|completions|models)?\/*$/, '');

/** A server of this machine rarely needs a key. */
export function isLocal(address: string): boolean {
  const host = parsedUrl(address)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

export const modelProblem = (model: string): string | undefined =>
  model.trim() !== '' && model.length <= MAX_LENGTH
    ? undefined
    : 'Enter the name of the model, as the server lists it.';

export const variableProblem = (name: string): string | undefined =>
  VARIABLE.test(name)
    ? undefined
    : 'Enter the name of an environment variable, such as OPENAI_API_KEY, not the key itself.';

/** Requests carry the key in an HTTP header. */
export const keyProblem = (key: string): string | undefined =>
  /^[\x21-\x7e]+$/.test(key.trim())
    ? undefined
    : 'Enter the key alone: letters, digits and punctuation, without spaces.';
