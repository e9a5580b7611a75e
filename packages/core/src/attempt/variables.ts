import type { EnvironmentSession } from "../plugin/index.ts";
import type { ExecutionContext } from "./context.ts";

type Variables = Readonly<Record<string, string>>;

/** Variables of a task's commands by the time they hold; references are replaced. */
export type TaskVariables = {
  /** Of every command. */
  readonly common: Variables;
  /** Over the common ones while the agent works. */
  readonly run: Variables;
  /** Over the common ones while the answer is scored. */
  readonly evaluation: Variables;
};

/** All variables of a task, so that one that is missing is found before anything is opened. Throws `spec.invalid`. */
export function taskVariables(context: ExecutionContext): TaskVariables {
  const { env_variables, run_env_variables, evaluation_env_variables } = context.request.environment;
  return {
    common: context.taskEnv(
      { ...context.plan.env_variables, ...context.task.env_variables, ...env_variables },
      (name) => placeOfCommon(context, name),
    ),
    run: context.taskEnv(run_env_variables, (name) => `environment.run_env_variables.${name}`),
    evaluation: context.taskEnv(evaluation_env_variables, (name) => `environment.evaluation_env_variables.${name}`),
  };
}

/** Who gives a common variable: the last of the three that does. */
function placeOfCommon({ request, task }: ExecutionContext, name: string): string {
  if (Object.hasOwn(request.environment.env_variables, name)) return `environment.env_variables.${name}`;
  return Object.hasOwn(task.env_variables ?? {}, name)
    ? `env_variables.${name} of the task`
    : `env_variables.${name} of the plan`;
}

/** The same session whose commands get further variables, over their own (reference 7.4). */
export function withVariables(session: EnvironmentSession, variables: Variables): EnvironmentSession {
  if (Object.keys(variables).length === 0) return session;
  return {
    workdir: session.workdir,
    scratch: session.scratch,
    exec: (ask) => session.exec({ ...ask, env: { ...ask.env, ...variables } }),
    upload: (from, to) => session.upload(from, to),
    download: (from, to) => session.download(from, to),
    readText: (path, maxBytes) => session.readText(path, maxBytes),
    writeText: (path, text) => session.writeText(path, text),
    remove: (path) => session.remove(path),
    close: () => session.close(),
  };
}
