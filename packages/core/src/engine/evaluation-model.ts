import { type ModelMeter, measureModel, newModelContact } from "../attempt/index.ts";
import type { ConnectModel } from "../plugin/index.ts";
import type { EngineDeps } from "./deps.ts";
import type { RequestRun } from "./request-run.ts";

/** Connects models that only score. `meter` alone counts what they use: whether the agent's model was reached is another matter. */
export function connectEvaluationModel(
  { run, deps }: { readonly run: RequestRun; readonly deps: Pick<EngineDeps, "createModel"> },
  meter: ModelMeter,
): ConnectModel {
  return async (spec, protocol) => {
    const { request } = run.checked;
    const model = await deps.createModel({ request, spec, protocol, runDirectory: run.store.locate("") });
    return measureModel(model, newModelContact(), meter);
  };
}
