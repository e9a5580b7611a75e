import type OpenAI from "openai";
import { sharedTransport } from "./transport.ts";

export type OpenAiModule = typeof import("openai");
export type OpenAiConnection = { readonly client: OpenAI; readonly module: OpenAiModule };

const OPENAI_ADDRESS = "https://api.openai.com/v1";
const CLIENT_RETRIES = 2;
const KEPT_CLIENTS = 256;

const connections = new Map<string, Promise<OpenAiConnection>>();

/**
 * The process-wide client for an address and a key; an empty address is OpenAI's own. Nothing is read from OPENAI_*
 * variables: what is called is what the spec says.
 */
export function openAiConnection(address: string, apiKey: string): Promise<OpenAiConnection> {
  const key = JSON.stringify([address, apiKey]);
  let connection = connections.get(key);
  if (!connection) {
    connection = connect(address || OPENAI_ADDRESS, apiKey);
    forgetOldest();
    connections.set(key, connection);
  }
  return connection;
}

/** Wrapped keys differ by run, so a long-lived process would gather clients without end. */
function forgetOldest(): void {
  const oldest = connections.keys().next();
  if (connections.size >= KEPT_CLIENTS && !oldest.done) connections.delete(oldest.value);
}

async function connect(baseURL: string, apiKey: string): Promise<OpenAiConnection> {
  const [module, fetch] = await Promise.all([import("openai"), sharedTransport()]);
  class Client extends module.OpenAI {
    // The package keeps only an `error` object of the body; other servers put their text elsewhere.
    protected override makeStatusError(
      status: number,
      body: object,
      text: string | undefined,
      headers: Headers,
    ): InstanceType<OpenAiModule["APIError"]> {
      const error = { error: { message: bodyText(body, text) } };
      return super.makeStatusError(status, error, undefined, headers);
    }
  }
  const client = withoutCustomHeaders(
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
        fetch,
      }),
  );
  return { client, module };
}

/** The package adds the headers in this variable to every client, whatever the endpoint; there is no option against it. */
function withoutCustomHeaders<T>(create: () => T): T {
  const headers = process.env["OPENAI_CUSTOM_HEADERS"];
  if (headers === undefined) return create();
  delete process.env["OPENAI_CUSTOM_HEADERS"];
  try {
    return create();
  } finally {
    process.env["OPENAI_CUSTOM_HEADERS"] = headers;
  }
}

function bodyText(body: unknown, text: string | undefined): string {
  if (typeof body === "string") return body;
  if (typeof body !== "object" || body === null) return text ?? "";
  const { error, message, detail } = body as Record<string, unknown>;
  for (const candidate of [error, (error as { message?: unknown } | undefined)?.message, message, detail]) {
    if (typeof candidate === "string" && candidate !== "") return candidate;
  }
  return JSON.stringify(body);
}
