// API keys: where they come from, and a holder that never prints them. A key is in the environment, or in the secret storage of VS Code,
// which passes it to the daemon as an environment variable. It is in no file, log, message or error.

import { inspect } from 'node:util';

/** The name of an environment variable, or of a secret. */
export type KeySource = { readonly env: string } | { readonly secret: string };

/** The source in a setting, whose schema requires one of the two. */
export const keySourceOf = ({
  env,
  secret = '',
}: {
  readonly env?: string;
  readonly secret?: string;
}): KeySource => (env === undefined ? { secret } : { env });

/** Letters, digits and underscores, so that a name is a part of a variable. */
export const SECRET_NAME = /^[A-Za-z0-9_]{1,100}$/;

/** The variable in which the extension passes a secret to the daemon. */
export const secretVariable = (name: string): string => `DARTBOARD_SECRET_${name}`;

const HIDDEN = '[key]';

export class ApiKey {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value of the header `Authorization`. This and `bare` are the only ways to the key. */
  authorization(): string {
    return `Bearer ${this.#value}`;
  }

  /** The value of the header `X-API-Key`. */
  bare(): string {
    return this.#value;
  }

  /** The text without the key: a server may repeat it in an error. */
  redact(text: string): string {
    const forms = [this.#value, encodeURIComponent(this.#value), JSON.stringify(this.#value).slice(1, -1)];
    return forms.reduce((left, form) => left.replaceAll(form, HIDDEN), text);
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}

/** Throws an Error that names the variable, never its value. */
export function resolveKey(
  agent: string,
  source: KeySource,
  environment: Readonly<Record<string, string | undefined>>,
): ApiKey {
  const name = 'env' in source ? source.env : secretVariable(source.secret);
  const value = environment[name]?.trim() ?? '';
  if (value === '')
    throw new Error(
      'env' in source
        ? `The key of agent '${agent}' is missing: the environment variable ${name} is not set. Set it, and start Dartboard again from the same shell.`
        : `The key of agent '${agent}' is missing: the secret '${source.secret}' is not stored. Store it with 'Dartboard: Set Key' in VS Code, or set the environment variable ${name}.`,
    );
  if (/[^\x21-\x7e]/.test(value))
    throw new Error(
      `The key of agent '${agent}' in ${name} contains a space or a character that HTTP headers do not allow. Set it to the key alone.`,
    );
  return new ApiKey(value);
}
