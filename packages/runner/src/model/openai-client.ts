import { CLIENT_RETRIES, type EndpointClient, keepClients, withoutVariable } from "./endpoint-client.ts";
import { refusalBody } from "./refusal-body.ts";
import { sendRequest } from "./transport.ts";

/** The transport of the openai package, which is loaded with the first call. */
export const openAiClient = keepClients(connect);

async function connect(baseURL: string, apiKey: string): Promise<EndpointClient> {
  const module = await import("openai");
  class Client extends module.OpenAI {
    protected override makeStatusError(status: number, body: object, text: string | undefined, headers: Headers) {
      return new module.APIError(status, refusalBody(body, text), undefined, headers);
    }
  }
  const client = withoutVariable(
    "OPENAI_CUSTOM_HEADERS",
    () =>
      new Client({
        baseURL,
        apiKey,
        adminAPIKey: null,
        organization: null,
        project: null,
        webhookSecret: null,
        maxRetries: CLIENT_RETRIES,
        logLevel: "off",
        fetch: sendRequest,
      }),
  );
  return { post: (path, call) => client.post(path, call), errors: module };
}
