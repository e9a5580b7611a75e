"""Runs mini-swe-agent on tasks as AgentCompass configures it: a JSON list of asks in, the list of its trajectories out."""

import contextlib
import json
import os
import sys

os.environ.update(
    LITELLM_LOCAL_MODEL_COST_MAP="True",
    MSWEA_SILENT_STARTUP="1",
    MSWEA_CONFIGURED="true",
    MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT="1",
)


def run(ask: dict) -> dict:
    from minisweagent.agents.default import DefaultAgent
    from minisweagent.config import get_config_from_spec
    from minisweagent.environments.local import LocalEnvironment
    from minisweagent.models import get_model

    config = get_config_from_spec("mini.yaml")
    model = {
        **config["model"],
        "model_class": ask["model_class"],
        "model_name": ask["model"],
        "cost_tracking": "ignore_errors",
        "model_kwargs": {
            "drop_params": True,
            "parallel_tool_calls": True,
            **ask["model_params"],
            "api_base": ask["base_url"],
            "api_key": "x",
            "custom_llm_provider": "openai",
        },
    }
    environment = LocalEnvironment(cwd=ask["cwd"], env=config["environment"]["env"], timeout=ask["command_timeout"])
    limits = {"step_limit": ask["step_limit"], "cost_limit": 3.0}
    agent = DefaultAgent(get_model(config=model), environment, **{**config["agent"], **limits})
    # What it raises stands in its trajectory.
    with contextlib.suppress(Exception):
        agent.run(ask["task"])
    return agent.serialize()


asks = json.load(sys.stdin)
with contextlib.redirect_stdout(sys.stderr):
    trajectories = [run(ask) for ask in asks]
json.dump(trajectories, sys.stdout)
