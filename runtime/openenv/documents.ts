// The documents of the server: the schemas of actions, observations and states, its metadata, and its OpenAPI description.

import * as z from 'zod';
import { version } from '../../package.json';
import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import { actionSchema } from './action-request.ts';
import { observationSchema } from './observation.ts';
import { resetSchema } from './reset-request.ts';
import { stateSchema } from './session.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const jsonSchema = (title: string, schema: z.ZodType): JsonObject => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' });
  return { title, ...rest };
};

/** As in the official server, the schema of observations has the fields that a message carries beside the observation. */
const reported = observationSchema.extend({
  done: z.boolean().default(false).describe('Whether the episode has ended.'),
  reward: z.number().default(0).describe('The score of the evaluator at the end of the episode, 0 before.'),
  metadata: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('The task, its seed, and the steps so far.'),
});

/** GET /schema. */
export const schemaDocument = (): JsonObject => {
  const observation = jsonSchema('DesktopObservation', reported);
  return {
    action: { type: 'object', ...jsonSchema('DesktopAction', actionSchema) },
    observation,
    reset_observation: observation,
    state: jsonSchema('DesktopState', stateSchema),
  };
};

const NAMES: Readonly<Record<DesktopKind, string>> = {
  pocket: 'a small deterministic desktop with seven applications',
  docker: 'a desktop with real applications in a container',
  web: 'web pages in a headless browser',
  guest: "a machine that serves OSWorld's HTTP API",
  offline: 'a stored trajectory, which is over when an action differs',
};

/** GET /metadata. */
export const metadataDocument = (kind: DesktopKind): JsonObject => ({
  name: `dartboard-${kind}`,
  description: `A graphical desktop of Dartboard: ${NAMES[kind]}. The agent sees a screenshot or the accessibility tree, and uses mouse and keyboard.`,
  readme_content: null,
  version,
  author: null,
  documentation_url: null,
});

/** The version of the HTTP interface of OpenEnv, which its validator reads. */
const INTERFACE_VERSION = '1.0.0';

const content = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
const returns = (description: string, schema: JsonObject = { type: 'object' }): JsonObject => ({
  200: { description, content: content(schema) },
});
const takes = (schema: JsonObject, required: boolean): JsonObject => ({
  requestBody: { required, content: content(schema) },
});

/** GET /openapi.json. */
export const openapiDocument = (kind: DesktopKind): JsonObject => {
  const { action, observation, state } = schemaDocument();
  const step = {
    type: 'object',
    properties: {
      observation,
      reward: { type: 'number' },
      done: { type: 'boolean' },
      metadata: { type: 'object' },
    },
    required: ['observation', 'reward', 'done'],
  };
  const stepRequest = { type: 'object', properties: { action }, required: ['action'] };
  return {
    openapi: '3.1.0',
    info: {
      title: 'OpenEnv Environment HTTP API',
      version: INTERFACE_VERSION,
      description: `${String(metadataDocument(kind)['description'])} Episodes need the WebSocket /ws.`,
    },
    paths: {
      '/reset': {
        post: {
          summary: 'Begin an episode, and return its first observation',
          ...takes(jsonSchema('ResetRequest', resetSchema), false),
          responses: returns('The first observation', step),
        },
      },
      '/step': {
        post: {
          summary: 'Needs an episode, which only the WebSocket /ws has',
          ...takes(stepRequest, true),
          responses: { 409: { description: 'No episode' } },
        },
      },
      '/state': {
        get: { summary: 'The state of a new session', responses: returns('The state', state as JsonObject) },
      },
      '/metadata': { get: { summary: 'Name and description', responses: returns('The metadata') } },
      '/health': { get: { summary: 'Whether the server works', responses: returns('The health') } },
      '/schema': {
        get: { summary: 'The schemas of action, observation and state', responses: returns('The schemas') },
      },
      '/mcp': {
        post: { summary: 'JSON-RPC; these desktops have no tools', responses: returns('The reply') },
      },
    },
  };
};
