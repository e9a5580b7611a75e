const KEY_OPTION = "--model-api-key";
const REFERENCE = /^\$\{\w+\}$/;

/**
 * The command line as other users of the machine may see it, with `********` in the place of a key that was given as text;
 * undefined when it holds none.
 */
export function safeTitle(argv: readonly string[]): string | undefined {
  const shown = argv.map((argument, index) => {
    if (argv[index - 1] === KEY_OPTION) return hidden(argument);
    if (!argument.startsWith(`${KEY_OPTION}=`)) return argument;
    return `${KEY_OPTION}=${hidden(argument.slice(KEY_OPTION.length + 1))}`;
  });
  return shown.every((argument, index) => argument === argv[index]) ? undefined : shown.join(" ");
}

function hidden(key: string): string {
  return key === "" || REFERENCE.test(key) ? key : "********";
}
