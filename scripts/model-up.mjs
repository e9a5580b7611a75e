/**
 * Starts a real small language model behind an OpenAI-compatible endpoint and leaves it running. Prints one JSON line
 * `{ url, model, pid }`; ends it: `kill PID`.
 */
import { startModel } from "./model-endpoint.mjs";

try {
  const { url, model, pid, child } = await startModel({ stay: true, say: (line) => console.error(line) });
  console.log(JSON.stringify({ url, model, pid }));
  child.disconnect();
  child.unref();
} catch (error) {
  console.error(`model-up: ${error.message}`);
  process.exitCode = 1;
}
