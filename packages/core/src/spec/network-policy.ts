import { isPlainObject } from "../record/json.ts";
import type { NetworkPolicy } from "./resolved.ts";
import { refuse, shown, type Where } from "./validate.ts";

const HOST = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
const ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?$|^[0-9a-f:]*:[0-9a-f:]+(?:\/\d{1,3})?$/i;

/** A whole policy of one layer; hosts that its mode does not use are refused. */
export function networkPolicy(value: Readonly<Record<string, unknown>>, where: Where): NetworkPolicy {
  const mode = (value["network_mode"] ?? "public") as NetworkPolicy["network_mode"];
  const allowed = hosts(value["allowed_hosts"], { ...where, path: `${where.path}.allowed_hosts` });
  const denied = hosts(value["denied_hosts"], { ...where, path: `${where.path}.denied_hosts` });
  if (mode === "allowlist" && allowed.length === 0)
    throw refuse({ ...where, path: `${where.path}.allowed_hosts` }, "network_mode allowlist needs at least one host");
  if (mode === "denylist" && denied.length === 0)
    throw refuse({ ...where, path: `${where.path}.denied_hosts` }, "network_mode denylist needs at least one host");
  if (allowed.length > 0 && mode !== "allowlist")
    throw refuse(where, `allowed_hosts go with network_mode allowlist, found ${mode}`);
  if (denied.length > 0 && mode !== "denylist")
    throw refuse(where, `denied_hosts go with network_mode denylist, found ${mode}`);
  return { network_mode: mode, allowed_hosts: allowed, denied_hosts: denied };
}

function hosts(value: unknown, where: Where): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw refuse(where, `must be a list of hosts, found ${shown(value)}`);
  return value.map((entry, index) => host(entry, { ...where, path: `${where.path}[${index}]` }));
}

function host(entry: unknown, where: Where): string {
  const given = typeof entry === "number" ? String(entry) : entry;
  const text = isPlainObject(given) && "host" in given ? withPort(String(given["host"]), given["port"], where) : given;
  const { name, port } = typeof text === "string" ? splitPort(text.trim()) : { name: "", port: undefined };
  const isPort = port === undefined || (/^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535);
  const isHost = HOST.test(name.replace(/\.$/, "")) || (ADDRESS.test(name) && isCanonical(name));
  if (isHost && isPort && typeof text === "string")
    return text
      .trim()
      .toLowerCase()
      .replace(/\.(?=:\d+$|$)/, "");
  throw refuse(where, `must be a host, *.host, address or CIDR with an optional port, found ${shown(entry)}`);
}

/** A CIDR range names its network: no bit is set below its prefix. IPv6 ranges are taken as they are. */
function isCanonical(address: string): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)(?:\/(\d+))?$/.exec(address);
  if (!parts) return true;
  const octets = parts.slice(1, 5).map(Number);
  const prefix = Number(parts[5] ?? 32);
  if (octets.some((octet) => octet > 255) || prefix > 32) return false;
  const value = octets.reduce((total, octet) => total * 256 + octet, 0);
  return value % 2 ** (32 - prefix) === 0;
}

function withPort(name: string, port: unknown, where: Where): string {
  if (port === undefined || port === null) return name;
  if (typeof port !== "number") throw refuse(where, `the port must be a whole number, found ${shown(port)}`);
  return name.includes(":") ? `[${name}]:${String(port)}` : `${name}:${String(port)}`;
}

function splitPort(text: string): { name: string; port: string | undefined } {
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(text);
  if (bracketed) return { name: bracketed[1] ?? "", port: bracketed[2] };
  const parts = text.split(":");
  return parts.length === 2 ? { name: parts[0] ?? "", port: parts[1] } : { name: text, port: undefined };
}
