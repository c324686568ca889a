"""Runs browser-use's own agent for one task: a request as a line on stdin, lines of JSON on stdout."""

import asyncio
import json
import os
import sys

REPLIES = os.dup(1)
# Whatever the library prints belongs to the log.
os.dup2(2, 1)


def tell(**line):
    os.write(REPLIES, (json.dumps(line, default=str) + "\n").encode())


def make_model(request):
    from browser_use import ChatAnthropic, ChatOpenAI

    common = {
        "model": request["model"],
        "api_key": request["key"],
        "temperature": request["temperature"],
        "max_retries": 2,
    }
    if request["protocol"] == "anthropic":
        return ChatAnthropic(base_url=request["baseUrl"], **common)
    return ChatOpenAI(base_url=request["baseUrl"] + "/v1", frequency_penalty=None, **common)


async def run(request):
    from browser_use import Agent, Browser

    browser = Browser(cdp_url=request["webSocket"], keep_alive=True)
    await browser.start()
    tell(connected=True)

    async def on_step(_state, output, _step):
        for action in output.action:
            for name, args in action.model_dump(exclude_none=True).items():
                tell(action=name, args=args)

    agent = Agent(
        task=request["prompt"],
        llm=make_model(request),
        browser=browser,
        initial_actions=[{"navigate": {"url": request["start"], "new_tab": False}}],
        directly_open_url=False,
        available_file_paths=request["files"],
        file_system_path=request["folder"],
        register_new_step_callback=on_step,
        use_judge=False,  # the harness judges, and the judge would be paid
        enable_signal_handler=False,
    )
    history = await agent.run(max_steps=request["maxSteps"])
    await browser.stop()
    tell(done=history.is_done(), steps=history.number_of_steps())


try:
    asyncio.run(run(json.loads(sys.stdin.readline())))
except Exception as error:
    tell(error=f"{type(error).__name__}: {error}")
# It ends when it was heard.
sys.stdin.read()
