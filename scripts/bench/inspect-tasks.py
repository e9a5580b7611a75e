"""The same calls by Inspect AI. Arguments: address, count, concurrency, directory for its log. Fails unless every task scored."""

import os
import sys

address, count, concurrency, log_dir = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
os.environ.update(BENCH_BASE_URL=address, BENCH_API_KEY="bench")

from inspect_ai import Task, eval  # noqa: E402
from inspect_ai.dataset import MemoryDataset, Sample  # noqa: E402
from inspect_ai.scorer import match  # noqa: E402
from inspect_ai.solver import generate  # noqa: E402

samples = [Sample(id=i, input=f"Question {i}: what is six times seven?", target="42") for i in range(count)]
task = Task(dataset=MemoryDataset(samples), solver=generate(), scorer=match(location="any", numeric=True))
model = "openai-api/bench/stub"
(log,) = eval(task, model=model, max_connections=concurrency, log_dir=log_dir, display="none")
assert log.status == "success" and log.results.completed_samples == count, log.error
assert log.results.scores[0].metrics["accuracy"].value == 1, log.results.scores
