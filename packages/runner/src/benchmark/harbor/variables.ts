const REFERENCE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

type Variables = { readonly values: Record<string, string>; readonly notes: readonly string[] };

/**
 * Variables of a task.toml. A reference to this machine's environment (`${NAME}` or `${NAME:-default}`) is not followed, since
 * tasks get only what the spec grants: its default is taken, and a variable without one is left out and noted.
 */
export function plainVariables(path: string, field: string, table: Readonly<Record<string, string>> = {}): Variables {
  const values: Record<string, string> = {};
  const notes: string[] = [];
  for (const [name, text] of Object.entries(table)) {
    const open = [...text.matchAll(REFERENCE)].filter((match) => match[2] === undefined);
    if (open.length === 0) values[name] = text.replaceAll(REFERENCE, (_match, _name, fallback: string) => fallback);
    else
      notes.push(
        `${path}: ${field}.${name} is left out: it refers to ${open.map((match) => match[1]).join(", ")} of this machine's environment; grant it by environment.env_variables`,
      );
  }
  return { values, notes };
}
