# Measures what one row of DART costs a learner of Qwen2.5-VL-7B on one GPU: memory and seconds. The weights are random, so nothing is
# downloaded; memory and time do not depend on their values. Needs torch, transformers and peft.
#   python3 learner_cost.py [--tiny]

import inspect
import json
import sys
import time

import torch
from peft import LoraConfig, get_peft_model
from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration

TINY = '--tiny' in sys.argv
IMAGES, HEIGHT, WIDTH = (2, 280, 280) if TINY else (5, 1092, 1932)  # 1920 x 1080, as Dartboard sends it
TEXT = 200 if TINY else 1500
REPLY = 20 if TINY else 150
PATCH, MERGE, RANK = 14, 2, 32
VISION_START, VISION_END, IMAGE = 151652, 151653, 151655


def config():
    text = dict(
        vocab_size=152064, hidden_size=3584, intermediate_size=18944, num_hidden_layers=28, num_attention_heads=28,
        num_key_value_heads=4, max_position_embeddings=128000, tie_word_embeddings=False, rms_norm_eps=1e-6,
        rope_parameters=dict(rope_type='default', rope_theta=1e6, mrope_section=[16, 24, 24]),
    )
    vision = dict(
        depth=32, hidden_size=1280, num_heads=16, intermediate_size=3420, out_hidden_size=3584, patch_size=PATCH,
        spatial_merge_size=MERGE, temporal_patch_size=2, window_size=112, fullatt_block_indexes=[7, 15, 23, 31],
    )
    if TINY:
        text.update(num_hidden_layers=2)
        vision.update(depth=2, fullatt_block_indexes=[1])
    return Qwen2_5_VLConfig(
        text_config=text, vision_config=vision, image_token_id=IMAGE, vision_start_token_id=VISION_START,
        vision_end_token_id=VISION_END, tie_word_embeddings=False,
    )


def row():
    """One step: five screens and their text, then the reply."""
    rows, columns = HEIGHT // PATCH, WIDTH // PATCH
    per_image = rows * columns // MERGE**2
    words = torch.randint(1000, 100000, (TEXT + REPLY,)).tolist()
    ids = []
    for image in range(IMAGES):
        ids += [VISION_START] + [IMAGE] * per_image + [VISION_END] + words[image::IMAGES][: TEXT // IMAGES]
    ids += words[-REPLY:]
    pixels = torch.randn(IMAGES * rows * columns, 3 * 2 * PATCH * PATCH, device='cuda', dtype=torch.bfloat16)
    input_ids = torch.tensor([ids], device='cuda')
    return dict(
        input_ids=input_ids, attention_mask=torch.ones_like(input_ids), pixel_values=pixels,
        mm_token_type_ids=(input_ids == IMAGE).int(), image_grid_thw=torch.tensor([[1, rows, columns]] * IMAGES, device='cuda'),
    )


def embeddings(model, batch):
    """The input of the language model. The vision tower is frozen, so a learner encodes the images of a row once."""
    wanted = inspect.signature(model.model.get_rope_index).parameters
    positions, _ = model.model.get_rope_index(**{name: batch[name] for name in wanted if name in batch})
    images = model.model.get_image_features(batch['pixel_values'], batch['image_grid_thw'])
    images = getattr(images, 'pooler_output', images)
    words = model.get_input_embeddings()(batch['input_ids'])
    is_image = (batch['input_ids'] == IMAGE).unsqueeze(-1).expand_as(words)
    return dict(inputs_embeds=words.masked_scatter(is_image, torch.cat(tuple(images))), position_ids=positions)


def measured(work, repeats=1 if TINY else 3):
    """The median of the seconds, and the peak of memory above what was there before, in GB."""
    before, seconds = torch.cuda.memory_allocated(), []
    torch.cuda.reset_peak_memory_stats()
    for _ in range(repeats + 1):
        torch.cuda.synchronize()
        start = time.perf_counter()
        work()
        torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
    peak = (torch.cuda.max_memory_allocated() - before) / 1e9
    return dict(seconds=round(sorted(seconds[1:])[repeats // 2], 3), first_seconds=round(seconds[0], 3), extra_gb=round(peak, 2))


def report(name, **values):
    print(json.dumps({'what': name, **values}), flush=True)


def main():
    torch.set_default_dtype(torch.bfloat16)
    start = time.perf_counter()
    with torch.device('cuda'):
        model = Qwen2_5_VLForConditionalGeneration(config())
    weights = sum(each.numel() for each in model.parameters())
    report('weights', billions=round(weights / 1e9, 3), gb=round(torch.cuda.memory_allocated() / 1e9, 2),
           seconds=round(time.perf_counter() - start, 1), gpu=torch.cuda.get_device_name(), torch=torch.__version__)
    language = sum(each.numel() for each in model.model.language_model.layers.parameters())
    batch = row()
    tokens = batch['input_ids'].shape[1]

    def speed(result, passes):
        operations = passes * 2 * language * tokens
        return dict(tokens=tokens, tflops=round(operations / result['seconds'] / 1e12, 1), **result)

    with torch.no_grad():
        vision = measured(lambda: model.model.get_image_features(batch['pixel_values'], batch['image_grid_thw']))
        report('vision tower, five images', **vision)
        layers = model.model(**batch, use_cache=True).past_key_values.layers
        cache = sum(each.nbytes for layer in layers for each in (layer.keys, layer.values))
        del layers
        report('cache of a turn', gb=round(cache / 1e9, 3), tokens=tokens)
        embedded = embeddings(model, batch)

        def score():
            hidden = model.model.language_model(**embedded, use_cache=False).last_hidden_state[:, -REPLY - 1 : -1]
            return model.lm_head(hidden).float().log_softmax(-1)

        report('forward: log-probabilities of a row, images encoded before', **speed(measured(score), 1))

    lora = LoraConfig(r=RANK, lora_alpha=RANK, target_modules=r'.*language_model.*\.(q|k|v|o|gate|up|down)_proj')
    trained = get_peft_model(model, lora)
    adapter = [each for each in trained.parameters() if each.requires_grad]
    for each in adapter:
        each.data = each.data.float()
    report('lora', millions=round(sum(each.numel() for each in adapter) / 1e6, 1))
    trained.gradient_checkpointing_enable(gradient_checkpointing_kwargs=dict(use_reentrant=False))
    trained.train()
    # Checkpoints need an input with a gradient.
    embedded['inputs_embeds'].requires_grad_(True)
    optimizer = torch.optim.AdamW(adapter, lr=1e-6)

    def update():
        with torch.autocast('cuda', torch.bfloat16):
            hidden = model.model.language_model(**embedded, use_cache=False).last_hidden_state[:, -REPLY - 1 : -1]
            logits = model.lm_head(hidden).float()
        target = batch['input_ids'][0, -REPLY:]
        torch.nn.functional.cross_entropy(logits[0], target).backward()

    update()
    optimizer.step()
    report('lora with gradients and moments', gb=round((sum(each.nbytes for each in adapter) * 4) / 1e9, 2))
    report('forward and backward of a row, with recomputation, images encoded before', **speed(measured(update), 3))


main()
