"""Keeps AgentCompass in one process as a reader of run directories.

Argument: a JSON list of benchmarks, each {id, metrics: [{id, kind, primary, label?}]}, to register beside its own. Prints a JSON line
{port, version} once its result viewer listens on loopback, then answers each line of its standard input, {run_dir,
benchmark_params, dry_run}, with what its `summary` gives, or {error}. Ends with its standard input.
"""

import asyncio
import json
import os
import sys
import threading
from importlib.metadata import version

# Without it, the library for model prices first tries for seconds to fetch a list.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
# What the libraries print must not mix with the answers.
answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

from agentcompass import summary  # noqa: E402
from agentcompass.benchmarks.config import RuntimeBenchmarkConfig  # noqa: E402
from agentcompass.runtime import BENCHMARKS, BaseBenchmark  # noqa: E402
from agentcompass.runtime.metrics import make_metric_contract  # noqa: E402
from agentcompass.runtime.registry import load_builtin_components  # noqa: E402
from agentcompass.viewer.server import create_app  # noqa: E402
from aiohttp import web  # noqa: E402
import tabulate  # noqa: E402

# Columns of tables count characters where AgentCompass is installed alone; another peer's library would change that here.
tabulate.WIDE_CHARS_MODE = False


class ReadOnlyBenchmark(BaseBenchmark):
    """Known by id and metrics alone: what reading takes."""

    def build_config(self, req):
        shared = ("sample_ids", "aggregation_mode", "category_hierarchy")
        given = {name: req.benchmark.params[name] for name in shared if name in req.benchmark.params}
        return RuntimeBenchmarkConfig(model=req.model.id, **given)

    def load_tasks(self, req):
        raise NotImplementedError

    async def prepare_task(self, task, env, req, plan):
        raise NotImplementedError

    async def evaluate(self, task, prepared, result, req, plan, env=None):
        raise NotImplementedError


def register(benchmark):
    metrics = benchmark["metrics"]
    of_kind = {kind: tuple(m["id"] for m in metrics if m["kind"] == kind) for kind in ("binary_success", "scalar")}
    contract = make_metric_contract(
        primary=next(m["id"] for m in metrics if m["primary"]),
        binary=of_kind["binary_success"],
        scalar=of_kind["scalar"],
        labels={m["id"]: m["label"] for m in metrics if "label" in m},
    )
    own = {"id": benchmark["id"], "description": benchmark["id"], "metric_contract": contract}
    BENCHMARKS.register()(type("Read" + benchmark["id"].title(), (ReadOnlyBenchmark,), own))


def serve():
    """Starts the viewer in a thread and returns its port."""
    started = threading.Event()
    port = []

    async def run():
        runner = web.AppRunner(create_app())
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port.append(runner.addresses[0][1])
        started.set()
        await asyncio.Event().wait()

    threading.Thread(target=lambda: asyncio.run(run()), daemon=True).start()
    started.wait()
    return port[0]


def answer(value):
    answers.write(json.dumps(value) + "\n")
    answers.flush()


load_builtin_components()
for one in json.loads(sys.argv[1]):
    if one["id"] in BENCHMARKS.names():
        continue
    register(one)
answer({"port": serve(), "version": version("agentcompass")})
for line in sys.stdin:
    try:
        answer(summary(**json.loads(line)))
    except Exception as error:
        answer({"error": f"{type(error).__name__}: {error}"})
