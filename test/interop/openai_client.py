"""The official Python client against a server. Reads one scenario as JSON from the standard input and prints its result as JSON."""

import asyncio
import json
import sys

import openai
from openai import AsyncOpenAI, OpenAI


def client_of(scenario, kind=OpenAI):
    return kind(base_url=scenario["url"], api_key=scenario["key"], max_retries=scenario.get("retries", 0))


def models(scenario):
    client = client_of(scenario)
    return {
        "listed": [model.id for model in client.models.list()],
        "found": client.models.retrieve(scenario["model"]).owned_by,
    }


def chat(scenario):
    """A completion, read through the types of the client."""
    reply = client_of(scenario).chat.completions.create(**scenario["request"])
    choice = reply.choices[0]
    logprobs = choice.logprobs
    return {
        "text": choice.message.content,
        "finish": choice.finish_reason,
        "model": reply.model,
        "usage": [reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.total_tokens],
        "tokens": None
        if logprobs is None
        else [
            {
                "token": token.token,
                "logprob": token.logprob,
                "bytes": bytes(token.bytes).decode(),
                "top": [[other.token, other.logprob] for other in token.top_logprobs],
            }
            for token in logprobs.content
        ],
    }


def stream(scenario):
    chunks = list(client_of(scenario).chat.completions.create(**scenario["request"], stream=True))
    choices = [choice for chunk in chunks for choice in chunk.choices]
    return {
        "text": "".join(choice.delta.content or "" for choice in choices),
        "finish": choices[-1].finish_reason,
        "chunks": len(chunks),
    }


def at_once(scenario):
    """Several requests at a time, with the asynchronous client."""

    async def ask_all():
        async with client_of(scenario, AsyncOpenAI) as client:
            asked = [
                client.chat.completions.create(**scenario["request"], seed=seed) for seed in scenario["seeds"]
            ]
            return [reply.choices[0].message.content for reply in await asyncio.gather(*asked)]

    return asyncio.run(ask_all())


def error(scenario):
    """The exception that a request raises."""
    try:
        chat(scenario)
    except openai.APIStatusError as raised:
        return {
            "exception": type(raised).__name__,
            "status": raised.status_code,
            "code": raised.code,
            "param": raised.param,
            "type": raised.type,
            "message": raised.message,
        }
    except openai.APIConnectionError as raised:
        return {"exception": type(raised).__name__}
    return {"exception": None}


def version(_):
    return openai.__version__


SCENARIOS = {each.__name__: each for each in (models, chat, stream, at_once, error, version)}

if __name__ == "__main__":
    given = json.load(sys.stdin)
    json.dump(SCENARIOS[given["scenario"]](given), sys.stdout)
