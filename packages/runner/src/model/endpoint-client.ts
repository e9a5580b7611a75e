/** One request; the body is sent as JSON. */
export type EndpointCall = {
  readonly body: unknown;
  readonly headers: Record<string, string>;
  readonly query: Record<string, unknown>;
  /** Milliseconds, whole, at least 1. */
  readonly timeout: number;
  readonly signal: AbortSignal;
};

type ErrorClass = abstract new (...parts: never[]) => Error;

/** A provider's own client, of which only the transport is used, and the errors by which it fails. */
export type EndpointClient = {
  /** Resolves with the text of the answer; null where there is none. */
  readonly post: (path: string, call: EndpointCall) => Promise<unknown>;
  readonly errors: {
    readonly APIError: ErrorClass;
    readonly APIConnectionError: ErrorClass;
    readonly APIConnectionTimeoutError: ErrorClass;
  };
};

export type Connect = (root: string, apiKey: string) => Promise<EndpointClient>;

/** Retries of the clients themselves, as in the providers' packages. */
export const CLIENT_RETRIES = 2;

const KEPT_CLIENTS = 256;

/**
 * Keeps the process-wide client of each address and key. What is called and with which key is what the spec says: clients
 * are built so that they read neither OPENAI_ nor ANTHROPIC_ variables nor credential files.
 */
export function keepClients(connect: Connect): Connect {
  const clients = new Map<string, Promise<EndpointClient>>();
  return (root, apiKey) => {
    const key = JSON.stringify([root, apiKey]);
    let client = clients.get(key);
    if (!client) {
      client = connect(root, apiKey);
      forgetOldest(clients);
      clients.set(key, client);
    }
    return client;
  };
}

/** Wrapped keys differ by run, so a long-lived process would gather clients without end. */
function forgetOldest(clients: Map<string, unknown>): void {
  const oldest = clients.keys().next();
  if (clients.size >= KEPT_CLIENTS && !oldest.done) clients.delete(oldest.value);
}

/** The packages add the headers in such a variable to every client, whatever the endpoint; there is no option against it. */
export function withoutVariable<T>(name: string, create: () => T): T {
  const value = process.env[name];
  if (value === undefined) return create();
  delete process.env[name];
  try {
    return create();
  } finally {
    process.env[name] = value;
  }
}
