// EvoCUA. S2, the form of the released models, is that of Qwen3-VL. S1, the form of the models on the base of OpenCUA, is
// "# Step, ## Thought, ## Action, ## Code" with pixels; the profile `opencua` prompts for it.

import { sentSize } from '../frame.ts';
import type { Profile } from '../profile.ts';
import { BASIC_ACTIONS } from './computer-use-prompt.ts';
import { FRAME_RULES } from './frames.ts';
import { readCodeReply } from './opencua.ts';
import { readToolCalls, toolProfile } from './tool-profile.ts';

const S2 = toolProfile({
  id: 'evocua',
  opening: '',
  actions: BASIC_ACTIONS,
  sentence: true,
  first: 'image',
  maxTokens: 2048,
});

export const EVOCUA: Profile = {
  ...S2,
  read: (raw, frame) => {
    const isCode = /^#{1,3}[ \t]*(?:Step|Code)\b/m.test(raw) && !raw.includes('<tool_call>');
    if (!isCode) return readToolCalls(raw, frame, 'evocua');
    // The server of an S1 model resizes the sent image once more, by the rule of OpenCUA.
    const picture = sentSize(FRAME_RULES.opencua.resize, frame.sent);
    return readCodeReply(raw, frame, { screen: frame.screen, picture });
  },
};
