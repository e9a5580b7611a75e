import type { ComponentDescriptor, Environment } from "@agentcompass/core/plugin";
import { z } from "zod";
import { HostProcessParams } from "./host-process-params.ts";

/** One bind mount, in full; the text form is `source:target[:mode]`. */
const Mount = z.strictObject({
  source: z.string().min(1).describe("Absolute path on the host, or the name of a volume."),
  target: z.string().min(1).describe("Absolute path in the container."),
  mode: z.string().default("rw").describe("Access: rw or ro."),
});

const DockerParams = z.strictObject({
  name: z.string().default("").describe("Container name; empty is agentcompass-<benchmark>-<12 hex digits>."),
  platform: z.string().default("").describe("Platform of the image, such as linux/amd64; empty is the engine's own."),
  command: z
    .union([z.string(), z.array(z.string())])
    .default(["tail", "-f", "/dev/null"])
    .describe("What keeps the container running."),
  mounts: z
    .array(z.union([z.string(), Mount]))
    .default([])
    .describe("Bind mounts, as source:target[:mode] or as an object."),
  ports: z.array(z.string()).default([]).describe("Published ports, in the form that docker run --publish takes."),
  devices: z.array(z.string()).default([]).describe("Host devices, in the form that docker run --device takes."),
  cap_add: z.array(z.string()).default([]).describe("Linux capabilities to add."),
  use_sudo_docker: z.boolean().default(false).describe("Call docker through sudo."),
  network: z.string().default("").describe("Docker network that the container joins; empty is the engine's default."),
  allowlist_proxy_image: z
    .string()
    .default("python:3.12-alpine")
    .describe("Image of the proxy that enforces allowlist and denylist policies."),
  allowlist_proxy_start_timeout: z
    .number()
    .positive()
    .default(60)
    .describe("Seconds that the proxy may take until it is ready."),
});

/** Environments that a spec may name; without `load` they come with a later release. */
export const environmentDescriptors: readonly ComponentDescriptor<Environment>[] = [
  {
    kind: "environment",
    id: "host_process",
    description: "Processes of this machine in a private directory with a clean environment; no isolation.",
    params: HostProcessParams,
    load: async () => (await import("./host-process.ts")).hostProcess,
  },
  {
    kind: "environment",
    id: "docker",
    description: "A Docker container for each task, from the task's image.",
    params: DockerParams,
    load: null,
  },
];
