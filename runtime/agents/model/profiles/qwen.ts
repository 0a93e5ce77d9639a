// Qwen2.5-VL and Qwen3-VL. The profile of Qwen3-VL also serves Qwen3.5, whose replies may have the XML form.

import { BASIC_ACTIONS } from './computer-use-prompt.ts';
import { toolProfile } from './tool-profile.ts';

/** The actions of the Qwen2.5-VL tool. */
const WITHOUT_ADDITIONS = ['triple_click', 'hscroll', 'answer'];

export const QWEN_25_VL = toolProfile({
  id: 'qwen2.5-vl',
  opening: 'You are a helpful assistant\n\n',
  actions: BASIC_ACTIONS.filter(name => !WITHOUT_ADDITIONS.includes(name)),
  sentence: false,
  first: 'image',
  maxTokens: 1500,
});

export const QWEN_3_VL = toolProfile({
  id: 'qwen3-vl',
  opening: '',
  actions: BASIC_ACTIONS,
  sentence: true,
  first: 'image',
  maxTokens: 2048,
});
