import { AgentCompassError } from "@agentcompass/core";
import type { ExecResult, LoadAsk } from "@agentcompass/core/plugin";
import type { HumanEvalParams } from "./params.ts";

const LEAST = [3, 8] as const;
const PRINT_VERSION = "import sys; print('%d.%d' % sys.version_info[:2])";
const TIMEOUT_MS = 30_000;

/**
 * Looks for Python in the environment before any task, and so before any model call. Throws AgentCompassError
 * `component.invalid` when there is none that can run candidates.
 */
export async function requirePython(
  ask: Pick<LoadAsk, "openSession" | "environment">,
  params: HumanEvalParams,
): Promise<void> {
  const { python } = params;
  const session = await ask.openSession();
  try {
    const command = [python, "-I", "-c", PRINT_VERSION];
    const problem = problemOf(await session.exec({ command, timeoutMs: TIMEOUT_MS }));
    if (problem === undefined) return;
    throw new AgentCompassError(
      "component.invalid",
      `benchmark.python: '${python}' ${problem} in environment '${ask.environment.id}'; humaneval needs Python ${LEAST.join(".")} or later, give its path as benchmark.python`,
    );
  } finally {
    await session.close();
  }
}

function problemOf({ returncode, stdout, stderr }: ExecResult): string | undefined {
  if (returncode === 127) return "is not there";
  const said = stdout.trim();
  const version = /^(\d+)\.(\d+)$/.exec(said);
  if (returncode !== 0 || !version) {
    const line = (stderr.trim() || said).split("\n", 1)[0]?.slice(0, 200) ?? "";
    return `does not run as Python (exit status ${returncode}${line === "" ? "" : `: ${line}`})`;
  }
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1]) ? undefined : `is Python ${said}`;
}
