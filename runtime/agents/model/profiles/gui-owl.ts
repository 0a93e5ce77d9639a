// GUI-Owl 1.5: the form of Qwen3-VL with coordinates from 0 to 1000 and one more action.

import { BASIC_ACTIONS } from './computer-use-prompt.ts';
import { toolProfile } from './tool-profile.ts';

export const GUI_OWL_15 = toolProfile({
  id: 'gui-owl-1.5',
  opening: '',
  actions: [...BASIC_ACTIONS, 'interact'],
  sentence: true,
  first: 'text',
  maxTokens: 2048,
});
