import type { ModelAnswer, ModelAsk } from "@agentcompass/core/plugin";
import type { Connect } from "./endpoint-client.ts";
import type { Fields } from "./fields.ts";
import type { RequestParameters } from "./request-parameters.ts";

/** What an answer says; its time is measured by who asked. */
export type ReadAnswer = Omit<ModelAnswer, "latency_ms">;

/** The body of one request and what its parameters are called where the user wrote them. */
export type RequestBody = {
  readonly body: Fields;
  /** By their name in the body, dotted where nested. */
  readonly parameters: ReadonlyMap<string, string>;
};

/** How an endpoint is spoken to: everything that differs between protocols, and nothing that touches the network. */
export type EndpointProtocol = {
  readonly name: string;
  /** Called where the spec has no base_url. */
  readonly defaultAddress: string;
  /** Of one call, below the root of the address. */
  readonly path: string;
  /** Ends of a base_url that say what `path` says again, longest first. */
  readonly redundantEnds: readonly string[];
  readonly connect: Connect;
  readonly request: (model: string, ask: ModelAsk, parameters: RequestParameters) => RequestBody;
  /** Throws ModelFailure `protocol` for what is no answer. */
  readonly read: (body: Fields, address: string) => ReadAnswer;
};
