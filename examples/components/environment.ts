/** An environment of one's own, built upon host_process: every working directory begins with the files of the spec. */
import { builtinEnvironment, defineEnvironment, z } from "agentcompass";

const params = z.strictObject({
  files: z
    .record(z.string().min(1), z.string())
    .default({})
    .describe("Text by path, relative to the working directory; written before a task is prepared."),
});

const host = await builtinEnvironment("host_process");

export default defineEnvironment({
  id: "seeded_process",
  description: "Commands as processes of this machine, in a directory that begins with files of your own.",
  params,
  networkModes: host.networkModes,
  setupFields: host.setupFields ?? [],
  ownsFilesystem: host.ownsFilesystem,
  exposure: host.exposure ?? "seeded_process: commands run on this machine",
  doOpen: async (ask) => {
    const session = await host.doOpen({ ...ask, params: {} });
    try {
      for (const [path, text] of Object.entries(ask.params.files)) await session.writeText(path, text);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  },
});
