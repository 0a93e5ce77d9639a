// The token that fills the places of an image in a prompt, by family, as the configurations of the models name it (`image_token_id`).

/** Qwen2-VL, Qwen2.5-VL and Qwen3-VL, and models that were trained from them. */
export const QWEN_VL_IMAGE = 151_655;
/** Qwen3.5. */
const QWEN_35_IMAGE = 248_056;

export const QWEN_IMAGE_TOKENS: readonly number[] = [QWEN_VL_IMAGE, QWEN_35_IMAGE];
