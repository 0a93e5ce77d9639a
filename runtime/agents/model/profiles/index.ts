// The profiles by name.

import { MICRO_PROFILE } from '../../micro/profile.ts';
import type { Profile, ProfileId } from '../profile.ts';
import { EVOCUA } from './evocua.ts';
import { GENERIC } from './generic.ts';
import { GUI_OWL_15 } from './gui-owl.ts';
import { OPENCUA } from './opencua.ts';
import { QWEN_3_VL, QWEN_25_VL } from './qwen.ts';
import { UI_TARS_10, UI_TARS_15 } from './ui-tars.ts';

export const PROFILES: Readonly<Record<ProfileId, Profile>> = {
  'ui-tars-1.5': UI_TARS_15,
  'ui-tars-1.0': UI_TARS_10,
  'qwen2.5-vl': QWEN_25_VL,
  'qwen3-vl': QWEN_3_VL,
  'gui-owl-1.5': GUI_OWL_15,
  opencua: OPENCUA,
  evocua: EVOCUA,
  generic: GENERIC,
  micro: MICRO_PROFILE,
};
