import { CLIENT_RETRIES, type EndpointClient, keepClients, withoutVariable } from "./endpoint-client.ts";
import { refusalBody } from "./refusal-body.ts";
import { sendRequest } from "./transport.ts";

/** The transport of the @anthropic-ai/sdk package, which is loaded with the first call. */
export const anthropicClient = keepClients(connect);

async function connect(baseURL: string, apiKey: string): Promise<EndpointClient> {
  const module = await import("@anthropic-ai/sdk");
  class Client extends module.BaseAnthropic {
    protected override makeStatusError(status: number, body: object, text: string | undefined, headers: Headers) {
      return new module.APIError(status, refusalBody(body, text), undefined, headers);
    }
  }
  const client = withoutVariable(
    "ANTHROPIC_CUSTOM_HEADERS",
    () =>
      new Client({ baseURL, apiKey, authToken: null, maxRetries: CLIENT_RETRIES, logLevel: "off", fetch: sendRequest }),
  );
  return { post: (path, call) => client.post(path, call), errors: module };
}
