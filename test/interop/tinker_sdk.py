"""The official Tinker SDK against a server. Reads one scenario as JSON from the standard input and prints its result as JSON."""

import json
import logging
import os
import sys

import numpy as np
import tinker
from tinker import types


def service_of(scenario):
    return tinker.ServiceClient(base_url=scenario["url"], api_key=scenario["key"])


def datum_of(prompt, reply, **lists):
    """The prompt with a reply. The lists have an entry for each token of the reply."""
    before = [0.0] * (len(prompt) - 1)
    return types.Datum(
        model_input=types.ModelInput.from_ints(prompt).append(types.EncodedTextChunk(tokens=reply[:-1])),
        loss_fn_inputs={
            "target_tokens": [0] * (len(prompt) - 1) + reply,
            **{name: before + list(values) for name, values in lists.items()},
        },
    )


def adam(scenario):
    return types.AdamParams(learning_rate=scenario["rate"], beta1=0.9, beta2=0.95, eps=1e-8)


def greedy(client, prompt):
    sampled = client.sample(
        prompt=types.ModelInput.from_ints(prompt),
        num_samples=1,
        sampling_params=types.SamplingParams(max_tokens=24, temperature=0, seed=1),
    ).result()
    return list(sampled.sequences[0].tokens)


def capabilities(scenario):
    client = service_of(scenario)
    training = client.create_lora_training_client(base_model="micro", rank=8).result()


    info = training.get_info()
    rest = tinker.RestClient(base_url=scenario["url"], api_key=scenario["key"])
    models = rest.get_server_capabilities().result().supported_models
    return {"models": [model.model_name for model in models], "model": info.model_data.model_name}


def imitate(scenario):
    """Cross-entropy on one reply. The sampled text before and after."""
    service = service_of(scenario)
    training = service.create_lora_training_client(base_model="micro", rank=8).result()
    prompt, reply = scenario["prompt"], scenario["reply"]
    data = [datum_of(prompt, reply, weights=[1.0 / len(reply)] * len(reply))]
    losses = []
    for _ in range(scenario["steps"]):
        passed = training.forward_backward(data, "cross_entropy")
        stepped = training.optim_step(adam(scenario))
        losses.append(passed.result().metrics["loss:sum"])
        stepped.result()
    base = service.create_sampling_client(base_model="micro").result()
    path = training.save_weights_for_sampler(name="imitated").result().path
    trained = service.create_sampling_client(model_path=path).result()
    latest = training.save_weights_and_get_sampling_client().result()
    return {
        "losses": losses,
        "path": path,
        "before": greedy(base, prompt),
        "after": greedy(trained, prompt),
        "latest": greedy(latest, prompt),
    }


def reinforce(scenario):
    """A policy gradient: a reply is worth 1 if its first token is in the upper half of the vocabulary."""
    service = service_of(scenario)
    training = service.create_lora_training_client(base_model="micro", rank=8).result()
    prompt = scenario["prompt"]
    rewards = []
    for step in range(scenario["steps"]):
        sampler = training.save_weights_and_get_sampling_client().result()
        sampled = sampler.sample(
            prompt=types.ModelInput.from_ints(prompt),
            num_samples=scenario["group"],
            sampling_params=types.SamplingParams(max_tokens=1, temperature=1.0, seed=step),
        ).result()
        worth = [float(sequence.tokens[0] >= scenario["limit"]) for sequence in sampled.sequences]
        mean = sum(worth) / len(worth)
        rewards.append(mean)
        data = [
            datum_of(
                prompt,
                list(sequence.tokens),
                logprobs=list(sequence.logprobs),
                advantages=[(own - mean) / len(worth)] * len(sequence.tokens),
            )
            for sequence, own in zip(sampled.sequences, worth)
        ]
        passed = training.forward_backward(data, scenario["loss"])
        stepped = training.optim_step(adam(scenario))
        passed.result()
        stepped.result()
    return {"rewards": rewards}


def logprobs_of(training, data):
    result = training.forward(data, "cross_entropy").result()
    return [float(value) for value in result.loss_fn_outputs[0]["logprobs"].data]


def state(scenario):
    """Saves and loads, with and without the optimiser."""
    service = service_of(scenario)
    training = service.create_lora_training_client(base_model="micro", rank=8).result()
    prompt, reply = scenario["prompt"], scenario["reply"]
    data = [datum_of(prompt, reply, weights=[1.0] * len(reply))]

    def step(client):
        passed = client.forward_backward(data, "cross_entropy")
        client.optim_step(adam(scenario)).result()
        passed.result()

    step(training)
    path = training.save_state("one").result().path
    saved = logprobs_of(training, data)
    step(training)
    after = logprobs_of(training, data)
    training.load_state(path).result()
    loaded = logprobs_of(training, data)
    again = service.create_training_client_from_state_with_optimizer(path).result()
    restored = logprobs_of(again, data)
    step(again)
    rest = tinker.RestClient(base_url=scenario["url"], api_key=scenario["key"])
    info = rest.get_weights_info_by_tinker_path(path).result().base_model
    rest.delete_checkpoint_from_tinker_path(path).result()
    try:
        rest.get_weights_info_by_tinker_path(path).result()
        is_deleted = False
    except tinker.APIStatusError:
        is_deleted = True
    return {
        "path": path,
        "saved": saved,
        "after": after,
        "loaded": loaded,
        "restored": restored,
        "continued": logprobs_of(again, data),
        "info": info,
        "is_deleted": is_deleted,
    }


def scores(scenario):
    """Log-probabilities of a prompt, and of samples with alternatives."""
    sampler = service_of(scenario).create_sampling_client(base_model="micro").result()
    prompt = types.ModelInput.from_ints(scenario["prompt"])
    sampled = sampler.sample(
        prompt=prompt,
        num_samples=2,
        sampling_params=types.SamplingParams(max_tokens=4, seed=3),
        include_prompt_logprobs=True,
        topk_prompt_logprobs=3,
        topk_sample_logprobs=2,
    ).result()
    return {
        "prompt": sampler.compute_logprobs(prompt).result(),
        "same": sampled.prompt_logprobs,
        "top": [None if place is None else len(place) for place in sampled.topk_prompt_logprobs],
        "alternatives": [len(place) for place in sampled.sequences[0].topk_logprobs],
        "ids": [sequence.sequence_id for sequence in sampled.sequences],
    }


def by_hand(scenario):
    """A loss of the client, with the two passes of `forward_backward_custom`, which needs PyTorch: every token of the reply at one half."""
    service = service_of(scenario)
    training = service.create_lora_training_client(base_model="micro", rank=8).result()
    prompt, reply = scenario["prompt"], scenario["reply"]
    losses = []
    for _ in range(scenario["steps"]):
        zero = [datum_of(prompt, reply, weights=[0.0] * len(reply))]
        logprobs = np.array(logprobs_of(training, zero)[-len(reply) :])
        apart = np.exp(logprobs) - 0.5
        losses.append(float((apart * apart).sum()))
        slopes = 2 * apart * np.exp(logprobs)
        passed = training.forward_backward([datum_of(prompt, reply, weights=list(-slopes))], "cross_entropy")
        stepped = training.optim_step(adam(scenario))
        passed.result()
        stepped.result()
    return {"losses": losses, "probabilities": np.exp(logprobs_of(training, zero)[-len(reply) :]).tolist()}


def failure(scenario):
    """The exception of a request that the server cannot carry out, and that the client goes on."""
    service = service_of(scenario)
    training = service.create_lora_training_client(base_model="micro", rank=8).result()
    data = [datum_of(scenario["prompt"], scenario["reply"], weights=[1.0] * len(scenario["reply"]))]
    try:
        training.forward_backward(data, "gspo").result()
    except tinker.RequestFailedError as error:
        raised = {"exception": type(error).__name__, "text": str(error), "category": str(error.category)}
    return {**raised, "loss": training.forward_backward(data, "cross_entropy").result().metrics["loss:sum"]}


SCENARIOS = {
    each.__name__: each
    for each in (capabilities, imitate, reinforce, state, scores, by_hand, failure)
}

if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    given = json.load(sys.stdin)
    output = json.dumps(SCENARIOS[given["scenario"]](given))
    sys.stdout.write(output)
    sys.stdout.flush()
    # Threads of the SDK outlive the scenario.
    os._exit(0)
