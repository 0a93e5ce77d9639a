// The address of a server and the source of its key. Errors print neither.

import * as z from 'zod';
import { SECRET_NAME } from '../../endpoints/keys.ts';
import { secretUrl } from './descriptions.ts';

/** `writeOnly`: errors do not print the value. */
const SECRET = { writeOnly: true } as const;

const KEY_ADVICE =
  '{ "env": "VARIABLE" } or { "secret": "NAME" }. A key in this file would be committed with it: store it in an environment variable or in the secret storage of VS Code, and write that name here';

export const key = z
  .strictObject({
    env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/)
      .meta({ ...SECRET, patternErrorMessage: 'the name of an environment variable, not the key itself' })
      .describe('The environment variable that holds the key.')
      .exactOptional(),
    secret: z
      .string()
      .regex(SECRET_NAME)
      .meta({
        ...SECRET,
        patternErrorMessage: 'a name of letters, digits and underscores, not the key itself',
      })
      .describe('The name of the key in the secret storage of VS Code.')
      .exactOptional(),
  })
  .refine(each => (each.env === undefined) !== (each.secret === undefined), {
    message: `A key must be ${KEY_ADVICE}.`,
  })
  .meta({ ...SECRET, patternErrorMessage: KEY_ADVICE })
  .describe('The source of the API key. Without it, requests carry no key.');

export const url = secretUrl(
  ['http:', 'https:'],
  'This URL is invalid. Write the base of an OpenAI-compatible server, such as http://localhost:8000/v1.',
  ({ username, password, search, hash }) => {
    if (username !== '' || password !== '')
      return "This URL contains a user name or a password. Remove it, and use the setting 'key'.";
    if (search !== '' || hash !== '')
      return "This URL contains a query or a fragment. Remove it; a key belongs to the setting 'key'.";
    return undefined;
  },
);
