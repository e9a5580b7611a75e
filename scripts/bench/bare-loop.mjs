/**
 * The least work that does the same calls: COUNT chat completions at CONCURRENCY by the openai client, nothing kept.
 * Arguments: address, count, concurrency. Prints the seconds of the loop alone.
 */
import OpenAI from "openai";

const [baseURL, count, concurrency] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const client = new OpenAI({ baseURL, apiKey: "bench" });
let next = 0;

async function work() {
  while (next < count) {
    const content = `Question ${next++}: what is six times seven?`;
    const completion = await client.chat.completions.create({ model: "stub", messages: [{ role: "user", content }] });
    if (!completion.choices[0]?.message.content) throw new Error("The endpoint gave no answer");
  }
}

const startedAt = performance.now();
await Promise.all(Array.from({ length: concurrency }, work));
console.log(((performance.now() - startedAt) / 1000).toFixed(4));
