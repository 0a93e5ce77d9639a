// The definition of the tool `computer_use` and the instructions around it, for the families that are trained on it.

import type { Size } from '../../../core/screen.ts';

export interface ToolPrompt {
  /** The names of the actions that the family knows. */
  readonly actions: readonly ToolAction[];
  /** The size that coordinates refer to. */
  readonly resolution: Size;
  /** The family writes a sentence before the call. */
  readonly sentence: boolean;
}

const ACTIONS = {
  key: 'Press the keys in `keys` in order, then release them in reverse order.',
  type: 'Type the string in `text`.',
  mouse_move: 'Move the cursor to `coordinate`.',
  left_click: 'Click the left mouse button at `coordinate`.',
  left_click_drag: 'Drag with the left mouse button from the present cursor position to `coordinate`.',
  right_click: 'Click the right mouse button at `coordinate`.',
  middle_click: 'Click the middle mouse button at `coordinate`.',
  double_click: 'Double-click the left mouse button at `coordinate`.',
  triple_click: 'Triple-click the left mouse button at `coordinate`.',
  scroll: 'Turn the mouse wheel by `pixels`.',
  hscroll: 'Turn the mouse wheel sideways by `pixels`.',
  wait: 'Wait `time` seconds.',
  terminate: 'End the task and report its `status`.',
  answer: 'Answer the question of the user with `text`, and end the task.',
  interact: 'Ask the user to resolve a window that blocks the task; `text` says what to do.',
} as const;
export type ToolAction = keyof typeof ACTIONS;

export const BASIC_ACTIONS: readonly ToolAction[] = [
  'key',
  'type',
  'mouse_move',
  'left_click',
  'left_click_drag',
  'right_click',
  'middle_click',
  'double_click',
  'triple_click',
  'scroll',
  'hscroll',
  'wait',
  'terminate',
  'answer',
];

export function toolPrompt({ actions, resolution, sentence }: ToolPrompt): string {
  return `# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
${spacedJson(definitionOf(actions, resolution))}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>${sentence ? RESPONSE_FORMAT : ''}`;
}

const RESPONSE_FORMAT = `

# Response format

Every reply has two parts, in this order:
1) Action: one short sentence that says what to do.
2) One <tool_call>...</tool_call> block with the JSON of the call.

Write nothing else. To end the task, call the action terminate.`;

const definitionOf = (actions: readonly ToolAction[], { width, height }: Size): object => ({
  type: 'function',
  function: {
    name: 'computer_use',
    description: [
      'Use the mouse and the keyboard of a desktop computer, and see its screen.',
      `* The screen's resolution is ${width}x${height}.`,
      '* Read the position of an element from the screenshot before you click it, and click its centre.',
      '* Applications may take time to start or to react: wait and look again if nothing has changed.',
    ].join('\n'),
    parameters: {
      properties: {
        action: {
          description: `The action to perform:\n${actions.map(name => `* \`${name}\`: ${ACTIONS[name]}`).join('\n')}`,
          enum: actions,
          type: 'string',
        },
        keys: { description: 'Required only by `action=key`.', type: 'array' },
        text: { description: 'Required only by actions that name it.', type: 'string' },
        coordinate: { description: '(x, y): x from the left edge, y from the top edge.', type: 'array' },
        pixels: {
          description:
            'The amount of scrolling. Positive values scroll up or right, negative values down or left.',
          type: 'number',
        },
        time: { description: 'The seconds to wait.', type: 'number' },
        status: { description: 'The status of the task.', type: 'string', enum: ['success', 'failure'] },
      },
      required: ['action'],
      type: 'object',
    },
  },
});

/** With blanks after colons and commas, as Python writes JSON: models are trained on it. */
function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, field]) => `${JSON.stringify(name)}: ${spacedJson(field)}`)
    .join(', ')}}`;
}
