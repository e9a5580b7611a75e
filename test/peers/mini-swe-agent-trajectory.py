"""Reads trajectories of mini-swe-agent as AgentCompass does: a JSON list of them in, of their steps out."""

import contextlib
import json
import os
import sys

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"


def steps(trajectory: dict) -> list[dict]:
    from agentcompass.harnesses.mini_swe_agent.trajectory import mini_trajectory_to_actf

    return [
        {
            "content": step.assistant_content.content,
            "reasoning_content": step.assistant_content.reasoning_content,
            "tool_calls": step.assistant_content.tool_calls,
            "observation": step.observation,
            "prompt_tokens_len": step.metric.prompt_tokens_len,
            "completion_tokens_len": step.metric.completion_tokens_len,
            "stop_reason": step.metric.stop_reason,
        }
        for step in mini_trajectory_to_actf(trajectory).steps
    ]


trajectories = json.load(sys.stdin)
with contextlib.redirect_stdout(sys.stderr):
    read = [steps(trajectory) for trajectory in trajectories]
json.dump(read, sys.stdout)
